/**
 * Stops a process for a share of the time, until the parent leaves. A process of its own: a timer of the busy generator
 * would be late, and the process would run the longer the more it is asked.
 */
const periodMs = 50;
const pid = Number(process.argv[2]);
const share = Number(process.argv[3]);

function stop(): void {
  process.kill(pid, 'SIGSTOP');
  setTimeout(goOn, periodMs * share);
}

function goOn(): void {
  process.kill(pid, 'SIGCONT');
  setTimeout(stop, periodMs * (1 - share));
}

process.on('disconnect', () => {
  process.kill(pid, 'SIGCONT');
  process.exit(0);
});
stop();
