import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PONTOS_FALHA } from '#bot/falha.ts'
import { ate } from './house.ts'
import { conectado, noTelefone, type Programa, usarPalco } from './programa.ts'

const palco = usarPalco()

async function entregar(programa: () => Promise<Programa>, mensagem: Record<string, unknown>): Promise<void> {
  await ate(async () => {
    try {
      const { status } = await (await programa()).pedir('POST', '/simulador/mensagens', mensagem)
      return status === 202
    } catch {
      return false
    }
  })
}

const chat = async (programa: Programa, telefone: string): Promise<string[]> =>
  (await noTelefone(programa, telefone)).map(({ de, texto }) => `${de}: ${texto}`)

describe('server after SIGKILL', () => {
  it('reconnects, keeps accepted messages in order and answers each once', { timeout: 600_000 }, async () => {
    const { database, iniciar, preparar } = palco()
    // Waits for an empty `saida`, so that old messages do not count toward the crash point of the next process.
    const assentar = () => ate(async () => (await database.owner.query('select 1 from saida')).rows.length === 0)
    await preparar()
    let programa = await iniciar()
    await conectado(programa)
    for (const [indice, texto] of ['oi', '4', 'hein?', '4'].entries()) {
      await entregar(async () => programa, { telefone: '11900000000', nome: 'Zoé', texto, id: `modelo-${indice}` })
    }
    const modelo = await ate(async () => {
      const lida = await chat(programa, '11900000000')
      return lida.length >= 10 ? lida : null
    })
    await assentar()
    await programa.matar()

    for (const [vez, ponto] of PONTOS_FALHA.entries()) {
      const telefone = `1190000100${vez}`
      programa = await iniciar(`${ponto}:3`)
      await conectado(programa)
      let renascido: Promise<Programa> | undefined
      const atual = async (): Promise<Programa> => renascido ?? programa
      void programa.morreu.then(() => (renascido = iniciar()))
      for (const [indice, texto] of ['oi', '4', 'hein?', '4'].entries()) {
        await entregar(atual, { telefone, nome: 'Zoé', texto, id: `${randomUUID()}-${indice}` })
      }
      expect(await programa.morreu, ponto).toBe('SIGKILL')
      const depois = await ate(atual)
      await conectado(depois)
      const lida = await ate(async () => {
        const agora = await chat(depois, telefone)
        return agora.length >= modelo.length ? agora : null
      })
      expect(lida, ponto).toEqual(modelo)
      await assentar()
      await depois.matar()
    }
  })
})
