import type { Componente } from '#constants.ts'

/**
 * Constants that only the administration needs, kept out of constants.ts because the panel loads that file on every
 * page.
 */

export const NOME_DO_COMPONENTE: Readonly<Record<Componente, string>> = {
  configuracaoGeral: 'Configuração geral',
  mensagensMenus: 'Mensagens e menus',
  iaChatbot: 'IA Chatbot',
  logsStatus: 'Logs e status',
  atendimentoHumano: 'Atendimento humano',
  lojaWhatsapp: 'Loja WhatsApp',
}

export const AUDITORIA_DIAS = 365
/** Days in which a deleted account can be restored. Afterwards all its data is erased. */
export const EXCLUSAO_DIAS = 30

/** Audited actions. A new action also needs its Portuguese label in the panel. */
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
  'contaMudada',
  'limiteAlterado',
  'permissoesAlteradas',
  'planoAplicado',
  'contadorZerado',
  'configuracoesSalvas',
  'tarifasSalvas',
  'versaoWhatsappAlterada',
  'hostsIaAlterados',
  'copiaLiberada',
  'copiaPedida',
  'manutencaoIniciada',
  'manutencaoEncerrada',
  'sessaoLimpa',
  'configRestaurada',
  'chaveIaAlterada',
  'provaIgnorada',
  'oficialAlterado',
  'webchatAlterado',
  'operadorConvidado',
  'conviteReenviado',
  'operadorCriado',
  'operadorAlterado',
  'operadorRemovido',
  'dadosExportados',
  'dadosApagados',
  'contatosImportados',
  'pagamentoDePedido',
  'etiquetaAlterada',
  'etiquetaExcluida',
  'linhaCriada',
  'linhaAlterada',
  'linhaExcluida',
  'limiteLinhasAlterado',
  'conversasLimpas',
  'mensagemEditada',
  'mensagemApagada',
  'privacidadeAlterada',
  'segundoFatorAlterado',
  'segundoFatorRemovido',
  'codigoRecuperacaoUsado',
  'identidadeConfirmada',
  'sessoesEncerradas',
  'segurancaAlterada',
  'dadosPropriosAlterados',
] as const

export const RESULTADOS_AUDITORIA = ['feito', 'recusado'] as const

/**
 * `hoje` is the current day in the product's time zone; `7dias` and `30dias` count back to the hour; `tudo` is all
 * kept records.
 */
export const PERIODOS_AUDITORIA = ['hoje', '7dias', '30dias', 'tudo'] as const

export const ORDENS_USUARIOS = ['nome', 'contato', 'status', 'uso', 'cadastro'] as const
export type UsuarioOrder = (typeof ORDENS_USUARIOS)[number]
