import type { Componente } from '#constants.ts'

/** What only administration needs, apart from the constants that every page of the panel brings with it. */

/** What people call the components. */
export const NOME_DO_COMPONENTE: Readonly<Record<Componente, string>> = {
  configuracaoGeral: 'Configuração geral',
  mensagensMenus: 'Mensagens e menus',
  iaChatbot: 'IA Chatbot',
  logsStatus: 'Logs e status',
  atendimentoHumano: 'Atendimento humano',
  lojaWhatsapp: 'Loja WhatsApp',
}

/** Who did what: long enough to look into what was noticed late, and no longer. */
export const AUDITORIA_DIAS = 365
/** A deleted account can be restored until then; then all of it is erased. */
export const EXCLUSAO_DIAS = 30

/** Every act that leaves a trace. A new one is added here, and gets its words in the panel. */
export const ACOES_AUDITORIA = [
  'entrar',
  'sair',
  'senhaTrocada',
  'redefinicaoPedida',
  'senhaRedefinida',
  'contaCadastrada',
  'usuarioCriado',
  'usuarioAtivado',
  'usuarioDesativado',
  'usuarioExcluido',
  'usuarioRestaurado',
  'contaApagada',
  'limiteAlterado',
  'permissoesAlteradas',
  'planoAplicado',
  'contadorZerado',
  'configuracoesSalvas',
  'manutencaoIniciada',
  'manutencaoEncerrada',
  'sessaoLimpa',
  'configRestaurada',
  'operadorConvidado',
  'conviteReenviado',
  'operadorCriado',
  'operadorAlterado',
  'operadorRemovido',
  'dadosExportados',
  'dadosApagados',
] as const

export const RESULTADOS_AUDITORIA = ['feito', 'recusado'] as const

/** Today in the product's own time zone, the last 7 or 30 days to the hour, or everything that is kept. */
export const PERIODOS_AUDITORIA = ['hoje', '7dias', '30dias', 'tudo'] as const

/** What the table sorts by. */
export const ORDENS_USUARIOS = ['nome', 'contato', 'status', 'uso', 'cadastro'] as const
export type OrdemUsuarios = (typeof ORDENS_USUARIOS)[number]
