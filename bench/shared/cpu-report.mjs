// Preloaded (`node --import`) into every server that is measured: answers the parent's question for
// the CPU time of the process in microseconds, user and system, over all of its threads.
process.on('message', (question) => {
  if (question !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  process.send({ cpuUs: user + system });
});
process.channel?.unref();
