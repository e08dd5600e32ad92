import { defaultConfig } from '#defaults.ts'
import type { Config } from '#entities/config.ts'
import type { Conversa } from '#entities/conversa.ts'
import type { Mensagem } from '#entities/mensagem.ts'

/** Valid samples for tests. Each function takes the fields that matter to the test. */

export const SAMPLE_CONTA_ID = 'conta-1'
export const SAMPLE_INSTANT = '2026-03-02T12:00:00.000Z'

export function afterInstant(ms: number): string {
  return new Date(Date.parse(SAMPLE_INSTANT) + ms).toISOString()
}

export function sampleMensagem(fields: Partial<Mensagem> = {}): Mensagem {
  return {
    id: 'm1',
    texto: 'Olá',
    remetente: 'Marina',
    timestamp: SAMPLE_INSTANT,
    tipo: 'recebida',
    origem: 'cliente',
    ...fields,
  }
}

export function sampleConversa(fields: Partial<Conversa> = {}): Conversa {
  return {
    id: 'c1',
    protocolo: '20260302-0001',
    setor: 'vendas',
    status: 'aguardando',
    cliente: { nome: 'Marina', telefone: '5511999990000' },
    mensagens: [],
    ultimaAtividade: SAMPLE_INSTANT,
    iniciadoEm: SAMPLE_INSTANT,
    aguardandoDesde: SAMPLE_INSTANT,
    naoLidas: 0,
    teste: false,
    ...fields,
  }
}

const defaults = defaultConfig()

/** Differs from the defaults in the fields that a request may omit. */
export const SAMPLE_CONFIG: Config = {
  ...defaults,
  whatsapp: { ...defaults.whatsapp, clientId: 'loja' },
  ia: { ...defaults.ia, promptTreinamento: '' },
  menu: {
    ...defaults.menu,
    expiraEmMinutos: 30,
    tentativas: 4,
    digitando: false,
    juntarMensagens: 'nunca',
    interativo: false,
  },
  atendimento: { ...defaults.atendimento, avaliacao: { ativa: false } },
}
