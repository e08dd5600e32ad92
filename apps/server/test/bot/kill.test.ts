import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BOT_CRASH_POINTS } from '#bot/falha.ts'
import { waitUntil } from './house.ts'
import { untilConnected, phoneMessages, type Program, useProgramFixture } from './programa.ts'

const palco = useProgramFixture()

async function entregar(programa: () => Promise<Program>, mensagem: Record<string, unknown>): Promise<void> {
  await waitUntil(async () => {
    try {
      const { status } = await (await programa()).request('POST', '/simulador/mensagens', mensagem)
      return status === 202
    } catch {
      return false
    }
  })
}

const chat = async (programa: Program, telefone: string): Promise<string[]> =>
  (await phoneMessages(programa, telefone)).map(({ de, texto }) => `${de}: ${texto}`)

describe('server after SIGKILL', () => {
  it('reconnects, keeps accepted messages in order and answers each once', { timeout: 600_000 }, async () => {
    const { database, start, prepare } = palco()
    // Waits for an empty `saida`, so that old messages do not count toward the crash point of the next process.
    const assentar = () => waitUntil(async () => (await database.owner.query('select 1 from saida')).rows.length === 0)
    await prepare()
    let programa = await start()
    await untilConnected(programa)
    for (const [indice, texto] of ['oi', '4', 'hein?', '4'].entries()) {
      await entregar(async () => programa, { telefone: '11900000000', nome: 'Zoé', texto, id: `modelo-${indice}` })
    }
    const modelo = await waitUntil(async () => {
      const lida = await chat(programa, '11900000000')
      return lida.length >= 10 ? lida : null
    })
    await assentar()
    await programa.kill()

    for (const [vez, ponto] of BOT_CRASH_POINTS.entries()) {
      const telefone = `1190000100${vez}`
      programa = await start(`${ponto}:3`)
      await untilConnected(programa)
      let renascido: Promise<Program> | undefined
      const atual = async (): Promise<Program> => renascido ?? programa
      void programa.exited.then(() => (renascido = start()))
      for (const [indice, texto] of ['oi', '4', 'hein?', '4'].entries()) {
        await entregar(atual, { telefone, nome: 'Zoé', texto, id: `${randomUUID()}-${indice}` })
      }
      expect(await programa.exited, ponto).toBe('SIGKILL')
      const depois = await waitUntil(atual)
      await untilConnected(depois)
      const lida = await waitUntil(async () => {
        const agora = await chat(depois, telefone)
        return agora.length >= modelo.length ? agora : null
      })
      expect(lida, ponto).toEqual(modelo)
      await assentar()
      await depois.kill()
    }
  })
})
