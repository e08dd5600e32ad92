import { describe, expect, it } from 'vitest'
import type { Conversa, Situacao } from '#entities/conversa.ts'
import type { Mensagem } from '#entities/mensagem.ts'
import { summarizeMensagem } from '#text/mensagem-summary.ts'
import type { ServerEvent } from '#realtime.ts'
import { type Chance, chanceFrom, interleave, TestPanel } from '#testing/interleaving.ts'
import { afterInstant, SAMPLE_CONTA_ID, sampleConversa, sampleMensagem } from '#testing/samples.ts'

/** Events of two nodes, each node in its order, in random interleavings. */

const ROUNDS = 300
const CHANGES = 25
/** To repeat a failed run, write the seed of its title here. */
const SEED = Math.floor(Math.random() * 1e9)

/** The rows of the server. Every change returns its event. */
class ServerModel {
  readonly #chance: Chance
  #conversas = new Map<string, Conversa>()
  #ended: string[] = []
  #now = 0
  #last = 0

  constructor(chance: Chance) {
    this.#chance = chance
    for (const id of ['c1', 'c2', 'c3']) {
      const mensagem = sampleMensagem({ id: 'm0' })
      const ultimaMensagem = { texto: summarizeMensagem(mensagem), timestamp: mensagem.timestamp }
      this.#conversas.set(id, sampleConversa({ id, revisao: 0, mensagens: [mensagem], ultimaMensagem }))
    }
  }

  /** A fresh GET. */
  list(): Conversa[] {
    const key = ({ ultimaAtividade, id }: Conversa): string => `${ultimaAtividade} ${id}`
    return [...this.#conversas.values()].toSorted((a, b) => (key(a) < key(b) ? 1 : -1))
  }

  change(): ServerEvent {
    this.#now += 1
    const open = this.list()
    const conversa = open[this.#chance(open.length)]
    if (conversa === undefined) return this.#opened()
    switch (this.#chance(12)) {
      case 0:
        return this.#opened()
      case 1:
        return this.#finished(conversa)
      case 2:
        return this.#taken(conversa, ['Ana', 'Rui'][this.#chance(2)] ?? 'Ana')
      case 3:
        return this.#transferred(conversa, ['vendas', 'suporte'][this.#chance(2)] ?? 'vendas')
      case 4:
      case 5:
        return this.#answered(conversa)
      case 6:
      case 7:
      case 8:
        return this.#reacted(conversa) ?? this.#received(conversa)
      default:
        return this.#received(conversa)
    }
  }

  #opened(): ServerEvent {
    const id = `d${(this.#last += 1)}`
    const conversa = sampleConversa({ id, revisao: 0, ultimaAtividade: afterInstant(this.#now) })
    this.#conversas.set(id, conversa)
    return { evento: 'novaConversaHumana', dados: { userId: SAMPLE_CONTA_ID, conversa } }
  }

  #finished({ id, revisao = 0 }: Conversa): ServerEvent {
    this.#conversas.delete(id)
    this.#ended.push(id)
    const dados = { userId: SAMPLE_CONTA_ID, conversaId: id, revisao: revisao + 1 }
    return { evento: 'conversaFinalizada', dados }
  }

  #taken(conversa: Conversa, operador: string): ServerEvent {
    const { agenteMeta: _, ...rest } = conversa
    const situacao = this.#store({ ...rest, status: 'em_atendimento', operadorId: operador, operador, naoLidas: 0 })
    const dados = { userId: SAMPLE_CONTA_ID, conversaId: conversa.id, operadorId: operador, operador, situacao }
    return { evento: 'conversaAssumida', dados }
  }

  #transferred(conversa: Conversa, setor: string): ServerEvent {
    const { operadorId: _id, operador: _nome, agenteMeta: _agente, ...rest } = conversa
    const situacao = this.#store({ ...rest, status: 'aguardando', setor })
    const dados = { userId: SAMPLE_CONTA_ID, conversaId: conversa.id, novoSetor: setor, situacao }
    return { evento: 'conversaTransferida', dados }
  }

  #received(conversa: Conversa): ServerEvent {
    const nome = this.#chance(4) === 0 ? `Marina ${this.#now}` : conversa.cliente.nome
    const mensagem = this.#mensagem({ remetente: nome })
    const mensagens = conversa.mensagens.map((one) => (one.tipo === 'recebida' ? { ...one, remetente: nome } : one))
    const renamed = { ...conversa, mensagens, cliente: { ...conversa.cliente, nome } }
    return this.#withMensagem({ ...renamed, naoLidas: conversa.naoLidas + 1 }, mensagem)
  }

  #answered(conversa: Conversa): ServerEvent {
    const mensagem = this.#mensagem({ tipo: 'enviada', origem: 'operador', remetente: 'Ana' })
    return this.#withMensagem({ ...conversa, naoLidas: 0 }, mensagem)
  }

  /** Reacts to a message that every panel holds. Null: the conversa has none. */
  #reacted(conversa: Conversa): ServerEvent | null {
    const target = conversa.mensagens.find(({ id }) => id === 'm0')
    if (target === undefined) return null
    const reaction = ['👍', '❤️', null][this.#chance(3)] ?? null
    const { reacoes: _reacoes, reacaoLoja: _loja, ...rest } = target
    const mensagem: Mensagem = {
      ...{ ...rest, revisao: (target.revisao ?? 0) + 1 },
      ...(reaction === null ? {} : { reacoes: [reaction], reacaoLoja: reaction }),
    }
    const mensagens = conversa.mensagens.map((one) => (one.id === mensagem.id ? mensagem : one))
    this.#conversas.set(conversa.id, { ...conversa, mensagens })
    const dados = { userId: SAMPLE_CONTA_ID, conversaId: conversa.id, mensagem, marcada: true }
    return { evento: 'mensagemConversaHumana', dados }
  }

  #mensagem(fields: Partial<Mensagem>): Mensagem {
    const id = `m${String(this.#now).padStart(6, '0')}`
    return sampleMensagem({ id, texto: id, timestamp: afterInstant(this.#now), ...fields })
  }

  #withMensagem(conversa: Conversa, mensagem: Mensagem): ServerEvent {
    const { texto, timestamp } = { texto: summarizeMensagem(mensagem), timestamp: mensagem.timestamp }
    const mensagens = [...conversa.mensagens, mensagem]
    const situacao = this.#store({
      ...conversa,
      mensagens,
      ultimaMensagem: { texto, timestamp },
      ultimaAtividade: timestamp,
    })
    const dados = { userId: SAMPLE_CONTA_ID, conversaId: conversa.id, mensagem, situacao }
    return { evento: 'mensagemConversaHumana', dados }
  }

  #store(conversa: Conversa): Situacao {
    const stored = { ...conversa, revisao: (conversa.revisao ?? 0) + 1 }
    this.#conversas.set(stored.id, stored)
    const { revisao, status, setor, operadorId, operador, naoLidas, ultimaAtividade } = stored
    const people = operadorId === undefined ? {} : { operadorId, operador: operador ?? '' }
    return { revisao, status, setor, naoLidas, ultimaAtividade, ...people }
  }
}

describe('events of two nodes', () => {
  it(`give the list of a fresh GET in any interleaving (seed ${SEED})`, () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const chance = chanceFrom(SEED + round)
      const server = new ServerModel(chance)
      const panel = new TestPanel(SAMPLE_CONTA_ID, server.list())
      const nodes: [ServerEvent[], ServerEvent[]] = [[], []]
      for (let n = 0; n < CHANGES; n += 1) nodes[chance(2) === 0 ? 0 : 1].push(server.change())
      for (const event of interleave(chance, nodes)) panel.receive(event, () => server.list())
      expect(panel.list(), `round ${round}`).toEqual(server.list())
    }
  })
})
