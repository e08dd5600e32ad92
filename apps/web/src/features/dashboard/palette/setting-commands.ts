import type { Aba } from '@balcao/contract/constants'
import { SlidersHorizontal } from 'lucide-react'
import { canView, type Viewer } from '#features/dashboard/shell/tab-list.ts'
import type { Command } from './command.ts'
import { showPart } from '#shared/hooks/show-part.ts'

interface Setting {
  readonly id: string
  readonly title: string
  readonly keywords: string
  readonly aba: Aba
  /** The list of the tab Loja. */
  readonly lista?: string
  /** The part of the tab that gets the focus. */
  readonly selector: string
  readonly ownerOnly?: true
}

const SETTINGS: readonly Setting[] = [
  {
    id: 'horario',
    title: 'Horário de atendimento',
    keywords: 'abrir fechar feriados dias funcionamento',
    aba: 'mensagens',
    selector: '#horario summary',
  },
  {
    id: 'automaticas',
    title: 'Mensagens automáticas',
    keywords: 'saudação despedida textos bot ausência',
    aba: 'mensagens',
    selector: '#automaticas summary',
  },
  {
    id: 'opcoes',
    title: 'Opções do menu',
    keywords: 'respostas bot pix pagamento',
    aba: 'mensagens',
    selector: '#opcoes summary',
  },
  {
    id: 'conector',
    title: 'Conector do WhatsApp',
    keywords: 'celular número conexão api',
    aba: 'geral',
    selector: '[name=conector]',
  },
  {
    id: 'linhas',
    title: 'Linhas',
    keywords: 'adicionar uma linha número celular whatsapp chat site',
    aba: 'geral',
    selector: '#linhas, #adicionar-linha',
    ownerOnly: true,
  },
  {
    id: 'clientId',
    title: 'Client ID',
    keywords: 'nome da conexão',
    aba: 'geral',
    selector: '[name=clientId]',
  },
  {
    id: 'apiKey',
    title: 'Chave da IA',
    keywords: 'gemini api key',
    aba: 'geral',
    selector: '[name=apiKey]',
  },
  {
    id: 'ligacoes',
    title: 'Resposta a ligações',
    keywords: 'telefone chamada perdida',
    aba: 'geral',
    selector: '[name=respostaLigacao]',
  },
  {
    id: 'privacidade',
    title: 'Privacidade e prazo das conversas',
    keywords: 'lgpd apagar retenção dados aviso',
    aba: 'geral',
    selector: '#privacidade',
  },
  {
    ...{ id: 'loja', title: 'Ajustes da loja', aba: 'loja', lista: 'ajustes', selector: '#ajustes-da-loja' },
    keywords: 'pedidos entrega taxa bairro cep retirada pagamento pix cardápio página impressora',
    ownerOnly: true,
  },
  {
    ...{ id: 'cupons', title: 'Cupons da loja', aba: 'loja', lista: 'cupons', selector: '#cupons-da-loja' },
    keywords: 'desconto promoção código',
    ownerOnly: true,
  },
  {
    ...{ id: 'fontes', title: 'O que a IA sabe', aba: 'ia', lista: 'fontes', selector: '#fontes-da-ia' },
    keywords: 'fonte conhecimento texto arquivo pdf site treinamento',
  },
  {
    ...{ id: 'provas', title: 'Provas da IA', aba: 'ia', lista: 'provas', selector: '#provas-da-ia' },
    keywords: 'teste pergunta resposta ensaio',
  },
]

export function settingCommands(viewer: Viewer, goTo: (aba: Aba, lista?: string) => void): readonly Command[] {
  const offered = SETTINGS.filter(
    ({ aba, ownerOnly = false }) => canView(viewer, aba) && (!ownerOnly || viewer.tipo !== 'operador'),
  )
  return offered.map(({ id, title, keywords, aba, lista, selector }) => ({
    id: `ajuste-${id}`,
    title,
    group: 'Configurações',
    icon: SlidersHorizontal,
    keywords,
    run: () => {
      goTo(aba, lista)
      showPart(selector)
    },
  }))
}
