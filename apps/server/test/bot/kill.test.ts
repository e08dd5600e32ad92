import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BOT_CRASH_POINTS } from '#lib/crash-points.ts'
import { untilConnected, phoneMessages, type Program, useProgramFixture } from './program.ts'
import { waitUntil } from '#test/app.ts'

const palco = useProgramFixture()

async function entregar(program: () => Promise<Program>, mensagem: Record<string, unknown>): Promise<void> {
  await waitUntil(async () => {
    try {
      const { status } = await (await program()).request('POST', '/simulador/mensagens', mensagem)
      return status === 202
    } catch {
      return false
    }
  })
}

const chat = async (program: Program, telefone: string): Promise<string[]> =>
  (await phoneMessages(program, telefone)).map(({ de, texto }) => `${de}: ${texto}`)

describe('server after SIGKILL', () => {
  it('reconnects, keeps accepted messages in order and answers each once', { timeout: 600_000 }, async () => {
    const { database, start, prepare } = palco()
    // Waits for an empty `saida`, so that old messages do not count toward the crash point of the next process.
    const assentar = () => waitUntil(async () => (await database.owner.query('select 1 from saida')).rows.length === 0)
    await prepare()
    let program = await start()
    await untilConnected(program)
    for (const [index, texto] of ['oi', '4', 'hein?', '4'].entries()) {
      await entregar(async () => program, { telefone: '11900000000', nome: 'Zoé', texto, id: `modelo-${index}` })
    }
    const modelo = await waitUntil(async () => {
      const parsed = await chat(program, '11900000000')
      return parsed.length >= 10 ? parsed : null
    })
    await assentar()
    await program.kill()

    for (const [vez, point] of BOT_CRASH_POINTS.entries()) {
      const telefone = `1190000100${vez}`
      program = await start(`${point}:3`)
      await untilConnected(program)
      let renascido: Promise<Program> | undefined
      const current = async (): Promise<Program> => renascido ?? program
      void program.exited.then(() => (renascido = start()))
      for (const [index, texto] of ['oi', '4', 'hein?', '4'].entries()) {
        await entregar(current, { telefone, nome: 'Zoé', texto, id: `${randomUUID()}-${index}` })
        // Marks of one batch pass a crash point once, so each text has its own batch.
        await assentar()
      }
      expect(await program.exited, point).toBe('SIGKILL')
      const after = await waitUntil(current)
      await untilConnected(after)
      const parsed = await waitUntil(async () => {
        const now = await chat(after, telefone)
        return now.length >= modelo.length ? now : null
      })
      expect(parsed, point).toEqual(modelo)
      await assentar()
      await after.kill()
    }
  })
})
