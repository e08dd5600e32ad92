import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestRuntime, connectBot, createTestRuntime } from './test-runtime.ts'
import { waitUntil } from '#test/app.ts'
import { firstLine } from '#db/statement/line.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

describe('Bots.typing', () => {
  it('shows typing through the node with the session, once per interval', async () => {
    const shown: string[] = []
    const dono = await runtime.startNode('dono', {
      connector: (base) => ({ ...base, typing: (address) => void shown.push(address) }),
    })
    const other = await runtime.startNode('outro')
    const contaId = await runtime.givenConta()
    await connectBot(dono, contaId)
    for (let vez = 0; vez < 3; vez += 1) dono.runtime.bots.typing(firstLine(contaId), '5511911112222')
    expect(shown).toEqual(['5511911112222'])
    for (let vez = 0; vez < 3; vez += 1) other.runtime.bots.typing(firstLine(contaId), '5511933334444')
    await waitUntil(() => shown.length > 1)
    expect(shown).toEqual(['5511911112222', '5511933334444'])
    await dono.stop()
    await other.stop()
  })
})
