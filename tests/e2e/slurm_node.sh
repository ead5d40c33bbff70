#!/bin/sh
# A Slurm of one node (munged, slurmctld, slurmd) in a folder of its own, for the tests of campaigns. Needs root, and the
# packages slurm-wlm and munge. Usage: slurm_node.sh start|stop FOLDER; then: export SLURM_CONF=FOLDER/slurm.conf
set -eu
action=$1
mkdir -p "$2"
there=$(cd "$2" && pwd)
PATH=$PATH:/usr/sbin:/sbin

stop_one() { # pid file
  [ -s "$1" ] || return 0
  pid=$(cat "$1")
  kill "$pid" 2>/dev/null || return 0
  for _ in $(seq 50); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null || true
}

if [ "$action" = stop ]; then
  for name in slurmd slurmctld munged; do stop_one "$there/$name.pid"; done
  [ ! -s "$there/munge.folder" ] || rm -rf "$(cat "$there/munge.folder")"
  exit 0
fi

for program in munged slurmctld slurmd squeue; do
  command -v "$program" >/dev/null || { echo "$program is not installed" >&2; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "slurmd starts as root alone" >&2; exit 77; }
[ -d /sys/fs/cgroup ] || { echo "slurmd needs /sys/fs/cgroup" >&2; exit 77; }

host=$(uname -n)
port=$((20000 + $$ % 20000))
mkdir -p "$there/state"
chmod 755 "$there"
dd if=/dev/urandom of="$there/munge.key" bs=1024 count=1 2>/dev/null
chmod 600 "$there/munge.key"
short=$(mktemp -d /tmp/detent.XXXXXX) # names of sockets have at most 108 bytes
echo "$short" >"$there/munge.folder"
mkdir "$short/spool"
chmod 755 "$short"
# munged asks for a socket below folders that only root may write, or --force.
munged --force --key-file="$there/munge.key" --socket="$short/socket" --pid-file="$there/munged.pid" \
  --log-file="$there/munged.log" --seed-file="$there/munge.seed" >"$there/munged.out" 2>&1
cat >"$there/slurm.conf" <<CONF
ClusterName=tests
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$short/socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$there/slurmctld.pid
SlurmdPidFile=$there/slurmd.pid
SlurmctldLogFile=$there/slurmctld.log
SlurmdLogFile=$there/slurmd.log
StateSaveLocation=$there/state
SlurmdSpoolDir=$short/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=1,sched_interval=1
MailProg=/bin/true
MpiDefault=none
ReturnToService=2
JobRequeue=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\n' >"$there/cgroup.conf"
export SLURM_CONF="$there/slurm.conf"
slurmctld >"$there/slurmctld.out" 2>&1
slurmd >"$there/slurmd.out" 2>&1
for _ in $(seq 100); do
  [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ] && exit 0
  sleep 0.2
done
echo "the node is not idle: $(sinfo --noheader --format='%T %E' 2>&1); see $there/slurmd.log" >&2
"$0" stop "$there"
exit 77
