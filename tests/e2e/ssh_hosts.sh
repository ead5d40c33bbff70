#!/bin/sh
# An sshd in a folder of its own, and an `ssh` that knows it as host-a and host-b, for the tests of campaigns. Needs the
# packages openssh-server and openssh-client. Usage: ssh_hosts.sh start|stop FOLDER; then: export PATH=FOLDER/bin:$PATH
# What logs in has FOLDER/home as its home.
set -eu
action=$1
mkdir -p "$2/bin" "$2/home"
there=$(cd "$2" && pwd)
PATH=$PATH:/usr/sbin:/sbin

if [ "$action" = stop ]; then
  [ ! -s "$there/pid" ] || kill "$(cat "$there/pid")" 2>/dev/null || true
  exit 0
fi

for program in sshd ssh ssh-keygen; do
  command -v "$program" >/dev/null || { echo "$program is not installed" >&2; exit 77; }
done
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
for key in host user; do
  [ -e "$there/$key" ] || ssh-keygen -q -t ed25519 -N '' -f "$there/$key"
done
cp "$there/user.pub" "$there/keys"
port=$((20000 + $$ % 20000))
cat >"$there/sshd_config" <<END
Port $port
ListenAddress 127.0.0.1
HostKey $there/host
AuthorizedKeysFile $there/keys
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
UsePAM no
PidFile $there/pid
MaxStartups 100
SetEnv HOME=$there/home
END
cat >"$there/ssh_config" <<END
Host host-a host-b
  HostName 127.0.0.1
  Port $port
  IdentityFile $there/user
  StrictHostKeyChecking no
  UserKnownHostsFile $there/known_hosts
  LogLevel ERROR
END
printf '#!/bin/sh\nexec %s -F "%s" "$@"\n' "$(command -v ssh)" "$there/ssh_config" >"$there/bin/ssh"
chmod +x "$there/bin/ssh"
"$(command -v sshd)" -f "$there/sshd_config" || exit 77
for _ in $(seq 50); do
  [ -s "$there/pid" ] && break
  sleep 0.1
done
[ "$("$there/bin/ssh" -o BatchMode=yes host-a 'echo "$HOME"')" = "$there/home" ] || { echo "sshd does not let us in" >&2; exit 77; }
