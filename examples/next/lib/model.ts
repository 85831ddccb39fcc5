/** Stands for the SDK of your model: gives its answer in parts, and leaks. */
export async function* ask(question: string): AsyncGenerator<string> {
  yield `You asked: ${question} `;
  yield 'Ann Lee has been a customer since 2019. ';
  yield 'Her SSN is 536-22-8145.';
}
