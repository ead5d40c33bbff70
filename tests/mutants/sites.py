"""Where a line of C++ can be changed, and into what: source text -> one-line mutations, drawn by a seed.

Lines are found by their text, not by their number: a drawing changes only where a line itself changes, so that a sample
with a fixed seed stays the same while the rest of the tree is worked on.
"""
import collections
import dataclasses
import hashlib
import re

FOLDERS = ("runtime", "base", "models", "harness", "sim", "verify", "reports", "app", "cli")

# Comments, literals and preprocessor lines; their text is blanked, so that what is searched below is code.
_NOT_CODE = re.compile(r"""
    //[^\n]* | /\*.*?\*/
  | R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"
  | "(?:\\.|[^"\\\n])*"
  | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'
  | ^[ \t]*\#(?:\\\n|[^\n])*
  """, re.VERBOSE | re.DOTALL | re.MULTILINE)

# What states a law for a reader or a compiler, never for a run that the tests could tell apart.
_SKIPPED_LINE = re.compile(r"\bDETENT_ASSERT\b|\bstatic_assert\b|^\s*(using|typedef|namespace|template)\b")

_SWAPPED = {
    "boundary": {"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    "equality": {"==": "!=", "!=": "=="},
    "logic": {"&&": "||", "||": "&&"},
    "sign": {"+": "-", "-": "+", "+=": "-=", "-=": "+="},
    "arithmetic": {"*": "/", "/": "*", "%": "/", "*=": "+=", "/=": "*="},
    "bits": {"|": "&", "&": "|", "|=": "&=", "&=": "|=", "<<": ">>", ">>": "<<"},
}
_OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|\|=|&=|<<|>>|[-<>+*/%|&])(?= |$)")
_INTEGER = re.compile(r"(?<![\w.'])(\d+)(?=(?:[uUlL]*)(?![\w.']))")
_STATEMENT = re.compile(r"^(?!(?:return|break|continue|goto|case|default|if|for|while|do|switch|else|class|struct|enum|"
                        r"public|private|protected|friend|static|const|constexpr|extern|virtual|delete|using|auto)\b)"
                        r"[\w:*(+-].*;$")
_DECLARATION = re.compile(r"^(?!throw\b|co_|delete\b)[\w:]+(?:<.*>)?(?:::\w+)?[&*]*\s+[&*]*\w+\s*(?:[({=;\[]|$)")
_PARAMETER = re.compile(r"^(?:const |struct )?[\w:]+(?:<.*>)?(?: const)?(?:[&*]+ | [&*]*)(?:\w+|\s*$)")


@dataclasses.dataclass(frozen=True)
class Mutation:
    """One change of one line."""
    file: str  # from the root of the tree
    line: int  # counted from 1
    kind: str
    before: str  # the whole line
    after: str
    twin: int  # how many lines of this text stand above it in the file

    @property
    def id(self):
        return _hash(self.file, self.before.strip(), str(self.twin), self.kind, self.after.strip())[:12]

    @property
    def folder(self):
        return self.file.split("/")[0]


def _hash(*words):
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def blank(text):
    """The text with everything that is not code replaced by blanks, line ends and quotes kept."""
    def blanks(match):
        kept = re.sub(r"[^\n]", " ", match.group())
        return kept if match.group()[0] not in "\"'R" or len(kept) < 2 else '"' + kept[1:-1] + '"'
    return _NOT_CODE.sub(blanks, text)


def _closing(code, at):
    """The index of the bracket that closes the one at `at`, or -1 when it is on another line."""
    depth = 0
    for index in range(at, len(code)):
        depth += (code[index] in "([{") - (code[index] in ")]}")
        if depth == 0:
            return index
    return -1


def _arguments(code, begin, end):
    """[(begin, end)] of what commas separate between two brackets."""
    parts, depth, start = [], 0, begin
    for index in range(begin, end):
        depth += (code[index] in "([{") - (code[index] in ")]}")
        if code[index] == "," and depth == 0:
            parts.append((start, index))
            start = index + 1
    parts.append((start, end))
    return [(b + len(code[b:e]) - len(code[b:e].lstrip()), e) for b, e in parts]


def _conditions(code):
    for match in re.finditer(r"\b(if|while)\s*\(", code):
        end = _closing(code, match.end() - 1)
        if end > 0:
            begin = match.end() + code[match.end():end].rfind(";") + 1
            yield "negate", begin, end, lambda old: " " * (len(old) - len(old.lstrip())) + f"!({old.strip()})"


def _operators(code):
    is_text = re.search(r'"|string|text|name', code)  # where + joins, and nothing else would compile
    for match in _OPERATOR.finditer(code):
        if is_text and match.group() in ("+", "+="):
            continue
        for kind, swapped in _SWAPPED.items():
            if match.group() in swapped:
                yield kind, match.start(), match.end(), lambda old, new=swapped[match.group()]: new
    for match in re.finditer(r"(?:(?<=[(\[,])|(?<=[=<>?:+*(,&|] )|(?<=return ))-(?=[\w(])", code):
        yield "sign", match.start(), match.end(), lambda old: ""
    for match in re.finditer(r"!(?=[\w(])", code):
        yield "negate", match.start(), match.end(), lambda old: ""
    if not re.search(r"\bfor\b", code):
        for match in re.finditer(r"\+\+|--", code):
            yield "sign", match.start(), match.end(), lambda old: "--" if old == "++" else "++"


def _words(code):
    for match in _INTEGER.finditer(code):
        yield "constant", match.start(1), match.end(1), lambda old: str(int(old) + 1)
        if int(match.group(1)) > 0:
            yield "constant", match.start(1), match.end(1), lambda old: str(int(old) - 1)
    for match in re.finditer(r"\b(true|false)\b", code):
        yield "boolean", match.start(), match.end(), lambda old: "false" if old == "true" else "true"
    for match in re.finditer(r"\bstd::(min|max)\b", code):
        yield "minmax", match.start(1), match.end(1), lambda old: "max" if old == "min" else "min"
    for match in re.finditer(r"\b(break|continue);", code):
        yield "jump", match.start(1), match.end(1), lambda old: ""
        yield "jump", match.start(1), match.end(1), lambda old: "continue" if old == "break" else "break"
    for match in re.finditer(r"\belse\b", code):
        yield "else", match.start(), match.end(), lambda old: ""
    match = re.search(r"\breturn ([^;{}]+);", code)
    if match and not re.fullmatch(r"true|false|\d+|nullptr|std::nullopt|\*this", match.group(1)):
        yield "return", match.start(1), match.end(1), lambda old: '"?"' if old == '""' else "{}"  # {} is an empty text, too


def _calls(code):
    for match in re.finditer(r"(?<=[\w>])[({]", code):
        end = _closing(code, match.start())
        if end < 0 or re.search(r"\bstd::(min|max)(<[\w:]+>)?$", code[:match.start()]):
            continue  # of min and max, either order gives an equal value unless one is no number
        parts = _arguments(code, match.end(), end)
        for (b1, e1), (b2, e2) in zip(parts, parts[1:]):
            if (code[b1:b1 + 1] == '"') != (code[b2:b2 + 1] == '"') or code[b1:e1][:1] in ("[", "{", "") or code[b2:e2][:1] in ("[", "{", ""):
                continue  # other types
            if _PARAMETER.match(code[b1:e1]) or _PARAMETER.match(code[b2:e2]):
                continue  # a declaration: with other types it does not link, with the same ones it is its callers' order
            yield "swap", b1, e2, lambda old, cut=(e1 - b1, b2 - b1): old[cut[1]:] + old[cut[0]:cut[1]] + old[:cut[0]]


def _is_declaration(text):
    if _DECLARATION.match(text) or re.search(r"= (delete|default|0);|\) (const|noexcept|override);|^[\w:]+ \(\*", text):
        return True
    call = re.match(r"[~\w:]+\(", text)  # of a constructor
    end = _closing(text, call.end() - 1) if call else -1
    return end > 0 and any(_PARAMETER.match(text[b:e]) for b, e in _arguments(text, call.end(), end))


def _statements(code, previous):
    """previous: the last character of code before the line."""
    text = code.strip()
    begin = code.find(text)
    depths = [(c in "([{") - (c in ")]}") for c in text]
    balanced = sum(depths) == 0 and all(sum(depths[:n]) >= 0 for n in range(len(depths)))
    if previous in ";{}:)" and balanced and begin > 0 and _STATEMENT.match(text) and not _is_declaration(text):
        yield "drop", begin, begin + len(text) - 1, lambda old: ""
    match = re.match(r"\s*(?:\} else )?if\s*\(", code)
    if match:
        end = _closing(code, match.end() - 1)
        if end > 0 and code.rstrip().endswith(";") and code[end + 1:].strip(" ;"):
            at = end + 1 + len(code[end + 1:]) - len(code[end + 1:].lstrip())
            yield "drop", at, len(code.rstrip()) - 1, lambda old: ""


def mutations(file, text):
    """All mutations of a file, line by line."""
    found, seen, previous = [], {}, "}"
    for number, (line, code) in enumerate(zip(text.split("\n"), blank(text).split("\n")), 1):
        twin = seen.get(line.strip(), 0)
        seen[line.strip()] = twin + 1
        if not code.strip() or _SKIPPED_LINE.search(code):
            previous = (code.rstrip() or previous)[-1]
            continue
        sites = [*_conditions(code), *_operators(code), *_words(code), *_calls(code), *_statements(code, previous)]
        for kind, begin, end, change in sites:
            after = line[:begin] + change(line[begin:end]) + line[end:]
            if after != line:
                found.append(Mutation(file, number, kind, line, after, twin))
        previous = code.rstrip()[-1]
    return found


def in_drawing_order(found, seed, spread=False):
    """One mutation per line, of a kind drawn first; the lines in the order that the seed gives them.

    spread: one line of each folder in turn, so that few lines are from all of them.
    """
    lines = {}
    for mutation in found:
        lines.setdefault((mutation.file, mutation.before.strip(), mutation.twin), []).append(mutation)
    order = []
    for (file, before, twin), choices in lines.items():
        key = _hash(str(seed), file, before, str(twin))
        chosen = min(choices, key=lambda one: (_hash(key, one.kind), _hash(key, one.kind, one.after.strip())))
        order.append((key, chosen))
    order = [mutation for _, mutation in sorted(order, key=lambda pair: pair[0])]
    if spread:
        turns = collections.Counter()
        turn = {one.id: turns.update([one.folder]) or turns[one.folder] for one in order}
        order.sort(key=lambda one: turn[one.id])
    return order


def product_sources(source_dir):
    """The C and C++ files of the product, from the root, sorted."""
    return sorted(str(path.relative_to(source_dir)) for folder in FOLDERS for path in (source_dir / folder).rglob("*")
                  if path.suffix in (".c", ".cpp", ".h", ".hpp"))
