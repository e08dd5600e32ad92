import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { retentionJob } from '#modules/retencao/index.ts'
import { createTestApp, type TestApp } from '#test/app.ts'

const DAY_MS = 24 * 3_600_000
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ background: false })
})
afterAll(() => app?.close())
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Runs the first round. Returns whether it deleted data. */
async function runAfter(days: number): Promise<boolean> {
  const sweepLinks = vi.fn(() => Promise.resolve(0))
  const job = retentionJob({ ...app.deps, sweepLinks })
  // Makes the round due.
  await app.sql('delete from tarefas')
  job.start()
  app.jump(days * DAY_MS)
  vi.advanceTimersByTime(10 * 60_000)
  await job.stop()
  return sweepLinks.mock.calls.length > 0
}

it('deletes old data after a weekend, not when the clock jumps 30 days', async () => {
  expect(await runAfter(2)).toBe(true)
  expect(await runAfter(30)).toBe(false)
})
