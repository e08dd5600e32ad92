import {
  DISTRIBUICAO_PADRAO,
  FORMAS_PAGAMENTO,
  ENVIO_PADRAO,
  FUSO_PADRAO,
  IA_CONFIAVEL_PADRAO,
  INATIVIDADE_PADRAO,
  MODELO_IA_PADRAO,
  RESUMO_DIARIO_PADRAO,
  RESPOSTA_LOJA_PADRAO,
  TEMPERATURA,
} from '#constants.ts'
import type { ConectorTipo } from '#connectors.ts'
import type { Config, Horario, Setor } from '#entities/config.ts'
import { listFeriados } from './presets/feriados.ts'

export const CHROME_PADRAO = '/usr/bin/chromium'

export interface DefaultsInput {
  readonly conector: ConectorTipo
  /** ISO instant, stored as `criadoEm` of each setor. */
  readonly now: string
  /** Holidays of this year and of the next are added as exceptions. */
  readonly year: number
}

export function defaultSetores(now: string): Setor[] {
  return [
    { id: 'vendas', nome: 'Vendas', cor: 'blue', ativo: true, criadoEm: now },
    { id: 'suporte', nome: 'Suporte', cor: 'green', ativo: true, criadoEm: now },
    { id: 'financeiro', nome: 'Financeiro', cor: 'yellow', ativo: true, criadoEm: now },
    { id: 'geral', nome: 'Geral', cor: 'gray', ativo: true, criadoEm: now },
  ]
}

/** Monday to Friday, 08:00 to 18:00, closed on national holidays of `year` and the next. */
export function defaultHorario(year: number): Horario {
  // A new array per day, so that editing Monday does not change Friday.
  const util = () => [{ inicio: '08:00', fim: '18:00' }]
  return {
    fuso: FUSO_PADRAO,
    dias: { seg: util(), ter: util(), qua: util(), qui: util(), sex: util(), sab: [], dom: [] },
    excecoes: [...listFeriados(year), ...listFeriados(year + 1)].map((feriado) => ({
      ...feriado,
      intervalos: [],
    })),
  }
}

export function defaultMenu(): Config['menu'] {
  return {
    menuPrincipal: '📋 *Menu principal*\nEscolha uma opção e responda com o número:',
    opcoes: [
      {
        numero: '1',
        titulo: 'Falar com a assistente virtual',
        tipo: 'ia',
        resposta: '🤖 Oi! Sou a assistente virtual. Pode perguntar.',
      },
      { numero: '2', titulo: 'Falar com um atendente', tipo: 'humano', resposta: '', setor: 'geral' },
      { numero: '3', titulo: 'Ver produtos', tipo: 'loja', resposta: RESPOSTA_LOJA_PADRAO },
      {
        numero: '4',
        titulo: 'Informações e horário',
        tipo: 'mensagem',
        resposta: '🕗 *Nosso horário*\nSegunda a sexta, das 8h às 18h.',
      },
      { numero: '0', titulo: 'Encerrar', tipo: 'finalizar', resposta: '' },
    ],
    mensagens: {
      boasVindas: '👋 Olá, {nome}! Que bom ter você aqui.',
      opcaoInvalida: '❌ Opção inválida. Escolha um dos números do menu, por favor.',
      semEntender: '🤔 Não entendi. Responda com o número de uma opção do menu.',
      aguardandoAtendente: '👤 Certo! Um atendente vai falar com você em instantes.\nProtocolo: {protocolo}',
      foraPeriodo:
        '🕗 Estamos fora do horário de atendimento (segunda a sexta, das 8h às 18h). Deixe sua mensagem: respondemos assim que voltarmos.',
      despedida: '🙏 Obrigado pelo contato! Quando precisar, é só chamar.',
    },
    expiraEmMinutos: 60,
    tentativas: 3,
    digitando: true,
    ...ENVIO_PADRAO,
  }
}

export function defaultIa(): Config['ia'] {
  return {
    ativa: false,
    apiKey: '',
    promptTreinamento:
      'Você é a assistente virtual da nossa empresa. Responda com simpatia e clareza, em português, usando apenas as informações que recebeu. Quando não souber, ofereça chamar um atendente.',
    modeloGemini: MODELO_IA_PADRAO,
    temperaturaResposta: TEMPERATURA.padrao,
    comportamentos: { sempreResponder: true, lembrarContexto: true, usarEmojis: true, serFormal: false },
    gatilhos: ['ia', 'inteligencia artificial', 'bot', 'assistente', 'ajuda automatica'],
    respostasPredefinidas: {
      cumprimento: '👋 Olá! Como posso ajudar?',
      despedida: '🙏 Até logo! Quando precisar, é só chamar.',
      naoEntendi: '🤔 Não consegui responder agora. Você pode perguntar de outro jeito ou escrever *atendente*.',
      transferirHumano: '👤 Vou chamar um atendente para continuar com você.',
    },
    esperaSegundos: 6,
    lerMidia: false,
    ...IA_CONFIAVEL_PADRAO,
    chaves: { ...IA_CONFIAVEL_PADRAO.chaves },
  }
}

export function defaultAtendimento(now: string, year: number): Config['atendimento'] {
  return {
    setores: defaultSetores(now),
    horario: defaultHorario(year),
    avaliacao: { ativa: true },
    distribuicao: { ...DISTRIBUICAO_PADRAO },
    semNinguem: '',
    inatividade: { ...INATIVIDADE_PADRAO },
    resumoDiario: { ...RESUMO_DIARIO_PADRAO },
  }
}

function defaultLoja(): Config['loja'] {
  return {
    pedidos: false,
    entrega: { ativa: false, taxas: [], minimoCentavos: 0, gratisAcimaCentavos: null },
    retirada: true,
    pagamentos: [...FORMAS_PAGAMENTO],
    pix: { chave: '', nome: '', cidade: '' },
    mensagens: {
      novo: '✅ Pedido nº {pedido} recebido! Total: {total}.',
      preparo: '👩‍🍳 Seu pedido nº {pedido} está em preparo.',
      saiu: '🛵 Seu pedido nº {pedido} saiu para entrega.',
      entregue: '🎉 Pedido nº {pedido} entregue. Obrigado pela preferência!',
      cancelado: '❌ O pedido nº {pedido} foi cancelado. Se foi engano, é só escrever.',
    },
    lembreteMinutos: 0,
    impressora: { ativa: false, endereco: '', porta: 9_100, largura: 48 },
    pedirFechado: false,
    pagina: { ativa: false, endereco: '', descricao: '', indexar: true },
  }
}

const DEFAULT_INPUT: DefaultsInput = { conector: 'simulador', now: '2025-01-01T00:00:00.000Z', year: 2026 }

/**
 * Configuration of a new account. Missing input fields take fixed defaults. The Client ID is empty because the
 * owner chooses it.
 */
export function defaultConfig(input: Partial<DefaultsInput> = {}): Config {
  const { conector, now, year } = { ...DEFAULT_INPUT, ...input }
  return {
    whatsapp: { conector, clientId: '', chromePath: CHROME_PADRAO, respostaLigacao: '' },
    gemini: { apiKey: '' },
    ia: defaultIa(),
    menu: defaultMenu(),
    atendimento: defaultAtendimento(now, year),
    loja: defaultLoja(),
  }
}
