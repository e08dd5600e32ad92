/** Runs the task for each item, also after an error. Throws the first error at the end. */
export async function runEach<T>(items: readonly T[], task: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) {
    try {
      await task(item)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
