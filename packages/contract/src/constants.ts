import { CONNECTORS, isConector } from './connectors.ts'

/**
 * Limits, defaults and timings of the product. The suffix gives the unit: `_MS` milliseconds, `_BYTES` bytes, `_S`
 * seconds, `_MIN` minutes, `_DIAS` days.
 */

export const VERSAO_PRODUTO = 'v2.0.0'
export const ANO_COPYRIGHT = 2025

export const SENHA_MINIMO = 6
export const SENHA_MAXIMO_BYTES = 1024
export const TEXTO_MAXIMO = 4096

export const LIMITE_MENSAGENS_DIA_PADRAO = 1000
export const LIMITE_USUARIOS_POR_PLANO_PADRAO = 100
export const LIMITE_LINHAS_MAXIMO = 20

/**
 * Characters that the counters beside the fields suggest. The server refuses only texts longer than 4096
 * characters.
 */
export const CONTADOR = {
  menuPrincipal: 1000,
  mensagem: 500,
  promptTreinamento: 2000,
  respostaPredefinida: 300,
} as const

export const TEMPERATURA = { minimo: 0, maximo: 1, passo: 0.1, padrao: 0.7 } as const

export const USO_AMARELO_PERCENTUAL = 70
export const USO_VERMELHO_PERCENTUAL = 90

export const IMAGEM_MAXIMO_BYTES = 5_242_880
/** Limit of one file sent in a conversa. */
export const ARQUIVO_MAXIMO_BYTES = 5_242_880
export const JSON_MAXIMO_BYTES = 262_144
export const JSON_PROFUNDIDADE_MAXIMA = 20

export const TIMEOUT_HTTP_MS = 15_000
/** Timeout of a file upload, in the panel and in the server. A slow mobile line needs longer than other requests. */
export const TIMEOUT_ENVIO_MS = 120_000
export const TIMEOUT_SOCKET_MS = 10_000
export const RECONEXAO = { minimoMs: 1_000, maximoMs: 5_000, jitter: 0.5 } as const
export const STATUS_APOS_CONECTAR_MS = 1_000
export const STATUS_INTERVALO_MS = 30_000
export const STATUS_MINIMO_ENTRE_CHAMADAS_MS = 2_000
export const MENSAGENS_MINIMO_ENTRE_CHAMADAS_MS = 3_000
export const STATUS_APOS_MONTAR_MS = 2_000
export const INICIO_CONSULTA = { intervaloMs: 2_000, tentativas: 15 } as const
export const LIMPAR_SESSAO_ESPERA_MS = 2_000
export const ROLAR_CHAT_MS = 100
export const DUPLICATA_TEMPORARIA_MS = 5_000

/** Days after its end in which a conversa may be opened again. */
export const REABRIR_DIAS = 7

/** Time in which a person may take back the own last act on a conversa. */
export const DESFAZER_MS = 120_000

/** The longest wait of a farewell, in seconds. */
export const ESPERA_DESPEDIDA_MAX_S = 30

export const LOGS_MANTIDOS = 100
export const MENSAGENS_LISTADAS = 50
/** Last mensagens of a conversa in the list of the panel, and in the events that open or replace a conversa there. */
export const MENSAGENS_NO_CARTAO = 1
export const CARTAO_SETOR_CHEIO = 10
export const ATIVIDADE_RECENTE = 5

/** Toasts: at most 20 at a time; durations in milliseconds. */
export const AVISO = {
  limite: 20,
  sucessoMs: 3_000,
  erroMs: 5_000,
  infoMs: 4_000,
  qrMs: 6_000,
  limiteDiarioMs: 6_000,
  novaConversaMs: 4_000,
  novaMensagemMs: 3_000,
} as const

export const LOJA_POR_PAGINA = 8
export const FORMAS_PAGAMENTO = ['pix', 'dinheiro', 'cartao'] as const

export const AVALIACAO_EXPIRA_MS = 30 * 60_000
export const CORTESIA_APOS_FIM_MS = 10 * 60_000
export const MENSAGEM_ANTIGA_MS = 10 * 60_000
export const LACO = {
  respostasMaximo: 15,
  respostasJanelaMs: 60_000,
  repeticoesMaximo: 6,
  repeticoesJanelaMs: 300_000,
  silencioMs: 600_000,
  /** Automatic answers to one contact without a message of the shop's people. */
  semPessoaMaximo: 100,
  semPessoaJanelaMs: 3_600_000,
} as const
export const AVALIACAO_INTERVALO_MS = 24 * 3_600_000
export const IA_CONTEXTO = { mensagens: 20, janelaMs: 2 * 3_600_000 } as const
/** The longest wait for the customer's pause before a question to the AI. */
export const IA_ESPERA_MAX_S = 30
export const IA_TIMEOUT_MS = 15_000

/** Login sessions: normal, with "Lembrar-me", and the validity of a password reset link. */
export const SESSAO_MS = 12 * 3_600_000
export const SESSAO_LEMBRAR_MS = 30 * 24 * 3_600_000
export const REDEFINICAO_MS = 3_600_000

/** Validity of a `desafio` of the login, wrong answers that end it, and duration of a confirmation. */
export const DESAFIO_MS = 5 * 60_000
export const DESAFIO_ERROS_MAXIMO = 5
export const CONFIRMACAO_MS = 10 * 60_000
export const CODIGOS_RECUPERACAO = 10

/** Characters of a password under the rule `forte`. */
export const SENHA_FORTE_MINIMO = 15
export const SENHA_FORTE_MINIMO_SEGUNDO_FATOR = 8

export const COMPONENTES = [
  'configuracaoGeral',
  'mensagensMenus',
  'iaChatbot',
  'logsStatus',
  'atendimentoHumano',
  'lojaWhatsapp',
] as const
export type Componente = (typeof COMPONENTES)[number]

/** `pedidos` is the board for operadores. The others have it in `loja`. */
export const ABAS = ['geral', 'mensagens', 'ia', 'logs', 'atendimento', 'loja', 'contatos', 'pedidos'] as const
export type Aba = (typeof ABAS)[number]

export const COMPONENTE_DA_ABA: Readonly<Record<Aba, Componente>> = {
  geral: 'configuracaoGeral',
  mensagens: 'mensagensMenus',
  ia: 'iaChatbot',
  logs: 'logsStatus',
  atendimento: 'atendimentoHumano',
  loja: 'lojaWhatsapp',
  contatos: 'atendimentoHumano',
  pedidos: 'atendimentoHumano',
}

export const PLANOS = ['gratuito', 'doacao'] as const
export type Plano = (typeof PLANOS)[number]
export const NOME_DO_PLANO: Readonly<Record<Plano, string>> = { gratuito: 'Gratuito', doacao: 'Doação' }

/** Limits of each plano, written to the account when an administrator applies the plano. `null`: no limit. */
export const PRESET_DO_PLANO: Readonly<
  Record<Plano, { limiteMensagensDia: number; limiteLinhas: number; ia: boolean; opcoesMenuMaximo: number | null }>
> = {
  gratuito: { limiteMensagensDia: 500, limiteLinhas: 1, ia: false, opcoesMenuMaximo: 5 },
  doacao: { limiteMensagensDia: 1000, limiteLinhas: 3, ia: true, opcoesMenuMaximo: null },
}

export const CORES_SETOR = ['blue', 'green', 'yellow', 'red', 'purple', 'pink', 'indigo', 'orange', 'gray'] as const
export type CorSetor = (typeof CORES_SETOR)[number]

export const CONECTORES = /* @__PURE__ */ Object.keys(CONNECTORS).filter(isConector)

/** Same order as `Date.getUTCDay`. */
export const DIAS = ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sab'] as const
export type Dia = (typeof DIAS)[number]

/** Reply given to an option whose kind becomes `loja` while its reply is empty. */
export const RESPOSTA_LOJA_PADRAO = '🛍️ Estes são os nossos produtos:'
export const MODELO_IA_PADRAO = 'gemini-2.5-flash'

export const FUSO_PADRAO = 'America/Sao_Paulo'

/** Days of retention, as published on the privacy page. */
export const CONVERSAS_DIAS = 180
export const LOGS_DIAS = 90
export const ACESSOS_DIAS = 180
export const RESPOSTAS_IA_DIAS = 30
/** Days that the list of unanswered questions looks back. */
export const LACUNAS_DIAS = 30
export const PROVEDORES_IA = ['gemini', 'openai', 'anthropic', 'compativel'] as const
/** Settings of an assistant that one can trust, for a new account and for one stored without them. */
export const IA_CONFIAVEL_PADRAO = {
  provedor: 'gemini',
  urlBase: '',
  chaves: { openai: '', anthropic: '', compativel: '' },
  orcamentoCentavosMes: null,
  apresentacao: 'Sou o assistente virtual da {empresa}.',
  transferirSemApoio: true,
  exigirProva: false,
  transcrever: false,
} as const

/** How the texts and menus of the bot leave. */
export const ENVIO_PADRAO = { juntarMensagens: 'oficial', interativo: true } as const
export const DISTRIBUICAO_PADRAO = { modo: 'manual', capacidade: 5, semRespostaMinutos: 5 } as const
export const INATIVIDADE_PADRAO = {
  ativa: false,
  avisoMinutos: 60,
  aviso: '👋 Oi, {nome}! Ainda podemos ajudar? Se não precisar de mais nada, vamos encerrar esta conversa.',
  encerrarMinutos: 60,
} as const

export const RESUMO_DIARIO_PADRAO = { ativo: false, hora: '08:00', telefone: '' } as const

/** A scheduled message is sent at least this long, and at most that long, after it was written. */
export const AGENDADA_MINIMO_MS = 60_000
export const AGENDADA_MAXIMO_DIAS = 90
/** Scheduled messages of one conversa that wait at the same time. */
export const AGENDADAS_POR_CONVERSA = 50
