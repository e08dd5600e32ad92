import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'

/** The conversas of a bakery that the tests of the tab show. */

const MINUTE_MS = 60_000

export const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString()

const DAY_MS = 24 * 60 * MINUTE_MS

/** Start of today in São Paulo, which is UTC−3 all year. */
const midnight = (): number => Math.floor((Date.now() - DAY_MS / 8) / DAY_MS) * DAY_MS + DAY_MS / 8

/** The same, but never before midnight, so that the tests pass at any hour. */
const minutesAgoToday = (minutes: number): string =>
  new Date(Math.max(Date.now() - minutes * MINUTE_MS, midnight())).toISOString()

const yesterdayNoon = (): string => new Date(midnight() - DAY_MS / 2).toISOString()

let made = 0

/** The id is greater than those of earlier calls, as the server's ids are. */
export function makeMensagem(fields: Partial<Mensagem> = {}): Mensagem {
  made += 1
  return {
    id: `m-${String(made).padStart(6, '0')}`,
    texto: 'Oi, bom dia!',
    remetente: 'Marina Duarte',
    timestamp: minutesAgo(3),
    tipo: 'recebida',
    origem: 'cliente',
    ...fields,
  }
}

export function makeConversa(fields: Partial<Conversa> & { nome?: string } = {}): Conversa {
  const { nome = 'Marina Duarte', ...rest } = fields
  const mensagens = rest.mensagens ?? [makeMensagem({ remetente: nome })]
  const last = mensagens.at(-1)
  const { aguardandoDesde = minutesAgo(3), status = 'aguardando' } = rest
  return {
    id: 'c1',
    protocolo: '20261121-0001',
    setor: 'vendas',
    status,
    cliente: { nome, telefone: '5511987654321' },
    ultimaAtividade: last?.timestamp ?? minutesAgo(3),
    iniciadoEm: minutesAgo(10),
    aguardandoDesde,
    ...(status === 'aguardando' ? { semRespostaDesde: aguardandoDesde } : {}),
    naoLidas: 0,
    teste: false,
    ...(last === undefined ? {} : { ultimaMensagem: { texto: last.texto, timestamp: last.timestamp } }),
    ...rest,
    mensagens,
  }
}

export function makeConversas(): Conversa[] {
  return [
    makeConversa({
      naoLidas: 2,
      mensagens: [
        makeMensagem({ id: 'm1', timestamp: yesterdayNoon() }),
        makeMensagem({
          id: 'm2',
          texto: 'Olá! 👋 Bem-vinda à *Padaria Aurora*.',
          remetente: 'Bot',
          tipo: 'enviada',
          origem: 'bot',
          estado: 'lida',
          timestamp: minutesAgoToday(4),
        }),
        makeMensagem({
          id: 'm3',
          texto: 'Queria 10 dúzias de pão de queijo para sábado',
          timestamp: minutesAgoToday(3),
        }),
        makeMensagem({ id: 'm4', texto: 'Vocês entregam na Vila Mariana?', timestamp: minutesAgoToday(2) }),
      ],
    }),
    makeConversa({
      id: 'c2',
      nome: 'João Pedro Alves',
      cliente: { nome: 'João Pedro Alves', telefone: '5521912345678' },
      setor: 'suporte',
      status: 'em_atendimento',
      operadorId: 'u1',
      operador: 'Ana Ribeiro',
      mensagens: [
        makeMensagem({
          id: 'j1',
          texto: 'Meu pedido não chegou',
          remetente: 'João Pedro Alves',
          timestamp: minutesAgo(12),
        }),
        makeMensagem({
          id: 'j2',
          texto: 'Oi, João! Já vou verificar.',
          remetente: 'Ana Ribeiro',
          tipo: 'enviada',
          origem: 'operador',
          estado: 'entregue',
          timestamp: minutesAgo(11),
        }),
      ],
    }),
    makeConversa({
      id: 'c3',
      nome: 'Studio Bela Vista',
      setor: 'financeiro',
      aguardandoDesde: minutesAgo(24),
      naoLidas: 1,
    }),
    makeConversa({ id: 'c4', nome: 'Rafa', setor: 'geral', aguardandoDesde: minutesAgo(7) }),
  ]
}

export function makeSentMensagem(text: string, fields: Partial<Mensagem> = {}): Mensagem {
  return makeMensagem({
    texto: text,
    remetente: 'Ana Ribeiro',
    tipo: 'enviada',
    origem: 'operador',
    estado: 'pendente',
    timestamp: new Date().toISOString(),
    ...fields,
  })
}
