import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Conector } from '#anfitriao.ts'
import { type Bancada, createBancada, novaMensagem } from './bancada.ts'
import { createCliente } from './rede-falsa/cliente.ts'
import { quando, quandoSair } from './quando.ts'

let bancada: Bancada

beforeEach(async () => {
  bancada = await createBancada()
})
afterEach(() => bancada.fechar())

/** Sends one message, with the same id, until it is confirmed. */
function insistir(conector: Conector, endereco: string, texto: string): Promise<void> {
  const mensagem = novaMensagem(endereco, texto)
  return quandoSair(() => conector.send(mensagem))
}

const lento = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

describe('createSessao under faults', () => {
  it('loses, repeats and reorders nothing despite cut connections, store failures and lost acks', async () => {
    const { ana, celular, disco, servidor } = bancada
    let ruim = true
    let passos = 0
    const falhar = (cada: number): void => {
      passos += 1
      if (ruim && passos % cada === 0) throw new Error('store failed')
    }
    const ganchos = { antesDeLer: async () => falhar(17), antesDeGravar: () => falhar(11) }
    ruim = false
    const { conector } = await bancada.parear(ganchos, { ackMs: 300 })
    ruim = true
    let acks = 0
    servidor.falhas.calarAck = () => ruim && ++acks % 5 === 0

    const textos = Array.from({ length: 30 }, (_, n) => `mensagem ${n}`)
    const respostas = Promise.all(textos.map((texto) => insistir(conector, `${ana.lid}@lid`, `resposta a ${texto}`)))
    for (const [n, texto] of textos.entries()) {
      await ana.diz(celular, texto)
      // Varies the moment of the cut over the whole handling of a message.
      await new Promise((resolve) => setTimeout(resolve, (n * 7) % 40))
      if (n % 2 === 0) celular.aparelhos.get(1)?.conexao?.cortar()
    }
    ruim = false
    await quando(() => expect(disco.recebidas).toHaveLength(textos.length))
    expect(disco.recebidas.map(({ texto }) => texto)).toEqual(textos)
    await respostas
    await quando(() => expect(ana.recebidas).toHaveLength(textos.length))
    expect(new Set(ana.recebidas.map(({ texto }) => texto)).size).toBe(textos.length)
    await quando(() => expect(disco.chegadas.size).toBe(0))
  }, 120_000)

  it('sends only readable answers to many customers on a slow store', async () => {
    const { celular, disco, servidor } = bancada
    const { conector } = await bancada.parear({ antesDeLer: lento, antesDeGravar: lento })
    const clientes = Array.from({ length: 8 }, (_, n) =>
      createCliente(servidor, { numero: `55119700000${n}`, lid: `30000000000${n}`, nome: `Cliente ${n}` }),
    )
    // If both sides start a session at the same time, Signal drops one and requests the message again. The test
    // avoids this case.
    for (const cliente of clientes) {
      await cliente.diz(celular, 'oi')
      await quando(() => expect(disco.recebidas.at(-1)?.nome).toBe(cliente.nome))
      await insistir(conector, `${cliente.lid}@lid`, 'olá')
      await cliente.nesima(1)
    }
    const conversas = clientes.map(async (cliente) => {
      for (let n = 0; n < 8; n += 1) {
        // Receives and sends on one ratchet at the same time, the case in which steps once overwrote each other.
        await Promise.all([
          cliente.diz(celular, `${cliente.nome} ${n}`),
          insistir(conector, `${cliente.lid}@lid`, `${n}`),
        ])
      }
    })
    await Promise.all(conversas)
    await quando(() => expect(disco.recebidas).toHaveLength(72))
    for (const cliente of clientes) {
      await cliente.nesima(9)
      expect(cliente.recebidas.map(({ texto }) => texto)).toEqual(['olá', '0', '1', '2', '3', '4', '5', '6', '7'])
      expect(cliente.ilegiveis).toEqual([])
    }
  }, 120_000)

  it('sends no answer while a receive step of the same ratchet is being stored', async () => {
    const { ana, celular, disco, servidor } = bancada
    const solta = Promise.withResolvers<void>()
    const segurada = Promise.withResolvers<void>()
    let armada = false
    const { conector } = await bancada.parear({
      antesDeGravar: async (chegadas) => {
        if (!armada || chegadas.length === 0) return
        armada = false
        segurada.resolve()
        await solta.promise
      },
    })
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    await conector.send(novaMensagem(`${ana.lid}@lid`, 'olá'))
    await ana.nesima(1)

    let saiu = false
    servidor.eventos.on('enviada', () => (saiu = true))
    armada = true
    await ana.diz(celular, 'tem rosas?')
    await segurada.promise
    const enviada = conector.send(novaMensagem(`${ana.lid}@lid`, 'temos'))
    // Several times as many event loop turns as a whole send needs.
    for (let volta = 0; volta < 5_000 && !saiu; volta += 1) await new Promise((resolve) => setImmediate(resolve))
    solta.resolve()
    expect(saiu).toBe(false)
    await enviada
    await quando(() => expect(disco.recebidas.at(-1)?.texto).toBe('tem rosas?'))
    expect(await ana.nesima(2)).toMatchObject({ texto: 'temos' })
    expect(ana.ilegiveis).toEqual([])
  })
})
