/**
 * The guard of a child process, run by /bin/sh (about 1 MB, where a Node would be 40). It is started as the leader
 * of a new session, so its process id is the group's. Its descriptor 3 is a socket to Muster:
 * - the guard says `exit N` when the child has exited;
 * - Muster answers `q` when it has heard that, and guard and watcher go;
 * - the end of the socket means that Muster is dead: TERM to the group and to what left it, two seconds later KILL.
 *
 * Reading another process's environment can block for seconds on a busy machine, so the group does not wait for the
 * search for what left it: it is killed 4 s after Muster died at the latest.
 *
 * Invariants that the text depends on:
 * - The child runs in the foreground: a shell without job control takes standard input and SIGINT from what it runs
 *   in the background. So it is the watcher that runs there.
 * - Handlers (`trap :`) are reset in the child, ignored signals (`trap ''`) would be inherited.
 * - The braces' own standard error goes nowhere, or the shell's word for a signal would be in the output.
 * - Only the child gets MUSTER_LAUNCH, so a search by that mark never finds the guard itself.
 * - The guard lets go of the child's streams before it speaks, so that their end is the end of the output.
 * - With `merged` and `split` the child writes to real pipes: Node's are sockets, and a socket cannot be opened by its
 *   path, so `echo > /dev/stderr` would fail in scripts. With `split` descriptor 4 is the pipe for standard output, and
 *   1 that for standard error.
 */
const POSIX_GUARD = `
mark=$1 mode=$2; shift 2
trap : TERM INT HUP QUIT
(
  trap '' TERM INT HUP QUIT
  PATH=$PATH:/usr/bin:/bin
  strays() {
    for file in $(grep -lzxF "MUSTER_LAUNCH=$mark" /proc/[0-9]*/environ 2>/dev/null); do
      file=\${file#/proc/}
      kill "-$1" "\${file%/environ}"
    done
  }
  read -r word <&3 && [ "$word" = q ] && exit 0
  kill -TERM 0; strays TERM &
  sleep 2
  ( sleep 2; kill -KILL 0 ) &
  strays KILL; strays KILL
  kill -KILL 0
) </dev/null >/dev/null 2>&1 &
if [ "$mode" = merged ]; then
  {
    trap : TERM INT HUP QUIT
    ( export MUSTER_LAUNCH=$mark; exec "$@" 3<&- 2>&1 )
    status=$?; trap '' PIPE; echo "exit $status" >&3
  } 2>/dev/null | { trap '' TERM INT HUP QUIT; PATH=$PATH:/usr/bin:/bin; exec cat 3<&-; }
elif [ "$mode" = split ]; then
  exec 6>&2
  {
    {
      trap : TERM INT HUP QUIT
      ( export MUSTER_LAUNCH=$mark; exec "$@" 2>&1 1>&4 3<&- 4>&- 6>&- )
      status=$?; trap '' PIPE; echo "exit $status" >&3
    } 2>/dev/null 6>&- | { trap '' TERM INT HUP QUIT; PATH=$PATH:/usr/bin:/bin; exec cat >&6 3<&- 4>&- 6>&-; }
  } 4>&1 | { trap '' TERM INT HUP QUIT; PATH=$PATH:/usr/bin:/bin; exec cat 3<&- 6>&-; }
  exec 6>&-
else
  ( export MUSTER_LAUNCH=$mark; exec "$@" 3<&- )
  status=$?; trap '' PIPE
  exec </dev/null >/dev/null 2>&1
  echo "exit $status" >&3
fi
exec </dev/null >/dev/null 2>&1
wait
`;

export function posixGuard(
  mark: string,
  mode: 'lines' | 'merged' | 'split',
): { file: string; args: string[] } {
  return { file: '/bin/sh', args: ['-c', POSIX_GUARD, 'muster-guard', mark, mode] };
}
