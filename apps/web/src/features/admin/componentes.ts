import { COMPONENTES, type Componente } from '@balcao/contract/constants'

const ROTULO: Readonly<Record<Componente, string>> = {
  configuracaoGeral: 'Configuração geral',
  mensagensMenus: 'Mensagens e menus',
  iaChatbot: 'IA Chatbot',
  logsStatus: 'Logs e status',
  atendimentoHumano: 'Atendimento humano',
  lojaWhatsapp: 'Loja WhatsApp',
}

/** The six components of the panel, in the order of its tabs. */
export const COMPONENTES_DO_PAINEL: readonly { readonly id: Componente; readonly rotulo: string }[] = COMPONENTES.map(
  (id) => ({ id, rotulo: ROTULO[id] }),
)
