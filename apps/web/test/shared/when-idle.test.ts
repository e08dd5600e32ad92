import { expect, it, vi } from 'vitest'
import { clearPersonState } from '#shared/storage.ts'
import { beforeIdle, whenIdle } from '#shared/when-idle.ts'

const browserIdle = (): Promise<unknown> => new Promise((resolve) => requestIdleCallback(resolve))

it('loads background parts after the requests of the screen, failed ones included', async () => {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  const loads = Promise.allSettled([beforeIdle(first.promise), beforeIdle(second.promise)])
  let idle = false
  void whenIdle().then(() => (idle = true))
  first.resolve('loaded')
  await browserIdle()
  await browserIdle()
  expect(idle).toBe(false)
  second.reject(new Error('not loaded'))
  await expect.poll(() => idle).toBe(true)
  expect(await loads).toMatchObject([{ value: 'loaded' }, { reason: { message: 'not loaded' } }])
})

/** True if `whenIdle` resolves before its timeout. */
async function becomesIdle(): Promise<boolean> {
  let idle = false
  void whenIdle().then(() => (idle = true))
  await vi.advanceTimersByTimeAsync(100)
  return idle
}

it('waits for a request of the screen, but not for one of the previous person', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  void beforeIdle(new Promise(() => undefined))
  expect(await becomesIdle()).toBe(false)
  clearPersonState()
  expect(await becomesIdle()).toBe(true)
})
