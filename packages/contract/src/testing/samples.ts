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

const intervals: Config['atendimento']['horario']['dias']['seg'] = [{ inicio: '08:00', fim: '18:00' }]

export const SAMPLE_CONFIG: Config = {
  whatsapp: { conector: 'simulador', clientId: 'loja', chromePath: '', respostaLigacao: '' },
  gemini: { apiKey: '' },
  ia: {
    ativa: false,
    apiKey: '',
    promptTreinamento: '',
    modeloGemini: 'gemini-2.5-flash',
    temperaturaResposta: 0.7,
    comportamentos: { sempreResponder: true, lembrarContexto: true, usarEmojis: true, serFormal: false },
    gatilhos: ['ia'],
    respostasPredefinidas: { cumprimento: 'Oi', despedida: 'Tchau', naoEntendi: 'Hã?', transferirHumano: 'Já vai' },
    esperaSegundos: 6,
  },
  menu: {
    menuPrincipal: 'Escolha',
    opcoes: [{ numero: '1', titulo: 'Falar', tipo: 'humano', resposta: '', setor: 'geral' }],
    mensagens: {
      boasVindas: 'Olá',
      opcaoInvalida: 'Inválida',
      semEntender: 'Não entendi',
      aguardandoAtendente: 'Aguarde',
      foraPeriodo: 'Fechado',
      despedida: 'Até logo',
    },
    expiraEmMinutos: 30,
    tentativas: 4,
    digitando: false,
  },
  atendimento: {
    setores: [{ id: 'geral', nome: 'Geral', cor: 'gray', ativo: true, criadoEm: SAMPLE_INSTANT }],
    horario: {
      fuso: 'America/Sao_Paulo',
      dias: { seg: intervals, ter: [], qua: [], qui: [], sex: [], sab: [], dom: [] },
      excecoes: [],
    },
    avaliacao: { ativa: false },
  },
}
