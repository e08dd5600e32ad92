import { describe, expect, it } from 'vitest'
import { retryUntilClosed } from './retry.ts'

const failing = (failures: number) => {
  let calls = 0
  return {
    calls: () => calls,
    step: async (): Promise<string> => {
      calls += 1
      if (calls <= failures) throw new TypeError(`failure ${calls}`)
      return 'stored'
    },
  }
}

describe('retryUntilClosed', () => {
  const setup = (attempts?: number) => {
    const session = new AbortController()
    const errors: unknown[] = []
    const retry = retryUntilClosed({
      ...{ closed: session.signal, waitMs: 1, onRetry: (error: unknown) => void errors.push(error) },
      ...(attempts === undefined ? {} : { attempts }),
    })
    return { session, errors, retry }
  }

  it('repeats a step until it succeeds and reports each failure', async () => {
    const { retry, errors } = setup()
    const { step } = failing(3)
    await expect(retry(step)).resolves.toBe('stored')
    expect(errors).toMatchObject([{ message: 'failure 1' }, { message: 'failure 2' }, { message: 'failure 3' }])
  })

  it('rejects with the last error after the attempts', async () => {
    const { retry, errors } = setup(3)
    const { step, calls } = failing(9)
    await expect(retry(step)).rejects.toThrow('failure 3')
    expect([calls(), errors.length]).toEqual([3, 2])
  })

  it('runs no step once the session is closed', async () => {
    const { retry, session } = setup()
    const { step, calls } = failing(9)
    const done = retry(step)
    session.abort()
    await expect(done).rejects.toThrow()
    await expect(retry(step)).rejects.toThrow()
    expect(calls()).toBe(1)
  })

  it('returns the result of a step that was running when the session closed', async () => {
    const { retry, session } = setup()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const done = retry(() => gate.then(() => 'stored'))
    session.abort()
    open()
    await expect(done).resolves.toBe('stored')
  })
})
