export function createSemaphore(max: number): <T>(run: () => Promise<T>) => Promise<T> {
  const wait: (() => void)[] = []
  let free = max
  return async (run) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => wait.push(resolve))
    try {
      return await run()
    } finally {
      const next = wait.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
