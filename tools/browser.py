"""A page in headless Chromium, driven over the pipe of its devtools protocol: keys, sizes, pictures, errors.

Usage: tools/browser.py time REPORT.html...    how long each page takes to load and draw itself: the median of nine loads
       tools/browser.py picture REPORT.html OUT.png [WIDTH] [light|dark]    a picture of the whole page

Needs chromium in PATH and nothing else. tests/reports/html/page_test.py is written with it.
"""
import base64
import fcntl
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT_SECONDS = 120


def find_chromium():
    """Its path, or None."""
    return next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)


class Page:
    """One page; a context manager that ends its browser."""

    KEYS = {"Tab": ("Tab", 9, ""), "Enter": ("Enter", 13, "\r"), " ": ("Space", 32, " "), "Escape": ("Escape", 27, ""),
            "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowUp": ("ArrowUp", 38, ""), "ArrowRight": ("ArrowRight", 39, ""),
            "ArrowDown": ("ArrowDown", 40, ""), "Home": ("Home", 36, "")}

    def __init__(self, chromium):
        self.profile = tempfile.TemporaryDirectory(prefix="detent_chromium_", ignore_cleanup_errors=True)
        self.errors = []  # of the console and of scripts
        self.loaded = False
        self._rest = b""
        self._next = 0
        # Chromium reads its commands from descriptor 3 and writes to 4; the shell moves the pipes there.
        to_read, self._write = map(self._above_nine, os.pipe())
        self._read, to_write = map(self._above_nine, os.pipe())
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   "--force-color-profile=srgb", "--remote-debugging-pipe", "--user-data-dir=" + self.profile.name]
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        script = f'exec "$@" 3<&{to_read} 4>&{to_write} {to_read}<&- {to_write}>&-'
        self._process = subprocess.Popen(["bash", "-c", script, "bash", *command], env=environment,
                                         pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    @staticmethod
    def _above_nine(descriptor):
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
        os.close(descriptor)
        return moved

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        try:
            self._session = None
            self.call("Browser.close")
        except (OSError, RuntimeError):
            self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self.profile.cleanup()

    def _message(self):
        while b"\0" not in self._rest:
            more = os.read(self._read, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self._rest += more
        text, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(text)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(one.get("value", "")) for one in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def call(self, method, **params):
        """Result of one command."""
        self._next += 1
        message = {"id": self._next, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._next:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def evaluate(self, script):
        """Value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def open(self, path, width=1280, height=900, dark=False):
        """Load a report and wait until it has drawn itself. Seconds that took, as the page's own clock has it."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.loaded = False
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        end = time.monotonic() + LIMIT_SECONDS
        while not self.loaded:
            self._message()
            if time.monotonic() > end:
                raise RuntimeError("the page does not load")
        return self.settle()

    def settle(self):
        """Wait until all that was asked to be drawn is on the screen: two frames."""
        return self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => "
                             "done(performance.now() / 1000))))")

    def press(self, key, shift=False):
        """One key, as a keyboard sends it."""
        code, number, text = self.KEYS.get(key, ("", ord(key[0].upper()), key))
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, path):
        """PNG of the whole page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))


def print_times(page, reports):
    """How long each of the reports takes."""
    page.open(reports[0])  # what the browser does once
    for report in reports:
        seconds = [page.open(report) for _ in range(9)]
        size = os.path.getsize(report) / 1e6
        print(f"{report}: {size:.1f} MB, {statistics.median(seconds):.2f} s (from {min(seconds):.2f} to "
              f"{max(seconds):.2f} s), {page.evaluate('ops.count')} ops, {len(page.errors)} errors")


def main():
    """What the command line says."""
    command, arguments = sys.argv[1:2], sys.argv[2:]
    is_picture = command == ["picture"] and 2 <= len(arguments) <= 4
    if not is_picture and (command != ["time"] or not arguments):
        print(__doc__, file=sys.stderr)
        return 2
    chromium = find_chromium()
    if not chromium:
        print("browser: no Chromium found; apt-get install chromium", file=sys.stderr)
        return 2
    with Page(chromium) as page:
        if is_picture:
            page.open(arguments[0], width=int((arguments[2:3] or ["1280"])[0]), dark=arguments[3:4] == ["dark"])
            page.picture(arguments[1])
        else:
            print_times(page, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
