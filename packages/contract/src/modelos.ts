import { RESPOSTA_LOJA_PADRAO } from '#constants.ts'
import type { OpcaoMenu } from '#entities/config.ts'

/** Ready-made pieces of the editors (spec §2 "Tab mensagens" and "Tab ia", §9). */

/** What 'Add option' inserts, but its number: the option count plus one (spec §5). */
export const NOVA_OPCAO = {
  titulo: 'Nova Opção',
  tipo: 'mensagem',
  resposta: 'Escreva aqui a resposta desta opção.',
} as const

export const EMOJIS = [
  '👋',
  '😊',
  '💚',
  '🛍️',
  '🕗',
  '📍',
  '🤖',
  '👤',
  '⭐',
  '✅',
  '❌',
  '📦',
  '💬',
  '🙏',
  '🎉',
  '📞',
  '💳',
  '🚚',
  '📋',
  '🔔',
] as const

export interface ModeloMenu {
  readonly id: string
  readonly nome: string
  readonly menuPrincipal: string
  readonly opcoes: readonly OpcaoMenu[]
}

/** The three menu templates of the editor. */
export const MODELOS_MENU: readonly ModeloMenu[] = [
  {
    id: 'loja',
    nome: 'Loja com catálogo',
    menuPrincipal: '🛍️ *O que você procura hoje?*\nResponda com o número:',
    opcoes: [
      { numero: '1', titulo: 'Ver produtos', tipo: 'loja', resposta: RESPOSTA_LOJA_PADRAO },
      {
        numero: '2',
        titulo: 'Entrega e pagamento',
        tipo: 'mensagem',
        resposta: '🚚 Entregamos em toda a cidade.\n💳 Aceitamos Pix, cartão e dinheiro.',
      },
      {
        numero: '3',
        titulo: 'Falar com vendas',
        tipo: 'humano',
        resposta: '👤 Já estou chamando alguém de vendas. Um instante!',
        setor: 'vendas',
      },
      { numero: '0', titulo: 'Encerrar', tipo: 'finalizar', resposta: '' },
    ],
  },
  {
    id: 'servicos',
    nome: 'Serviços com hora marcada',
    menuPrincipal: '📋 *Como podemos ajudar?*\nResponda com o número:',
    opcoes: [
      {
        numero: '1',
        titulo: 'Marcar um horário',
        tipo: 'humano',
        resposta: '🗓️ Vou chamar alguém para marcar seu horário. Qual dia fica melhor para você?',
        setor: 'geral',
      },
      {
        numero: '2',
        titulo: 'Serviços e preços',
        tipo: 'mensagem',
        resposta: '⭐ Conte qual serviço você quer e enviamos o preço.',
      },
      {
        numero: '3',
        titulo: 'Endereço e horário',
        tipo: 'mensagem',
        resposta: '📍 Atendemos no endereço da loja.\n🕗 {horario}',
      },
      { numero: '0', titulo: 'Encerrar', tipo: 'finalizar', resposta: '' },
    ],
  },
  {
    id: 'suporte',
    nome: 'Suporte por setor',
    menuPrincipal: '💬 *Com qual setor você quer falar?*\nResponda com o número:',
    opcoes: [
      { numero: '1', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' },
      { numero: '2', titulo: 'Suporte', tipo: 'humano', resposta: '', setor: 'suporte' },
      { numero: '3', titulo: 'Financeiro', tipo: 'humano', resposta: '', setor: 'financeiro' },
      { numero: '4', titulo: 'Tirar uma dúvida com a IA', tipo: 'ia', resposta: '🤖 Pode perguntar!' },
      { numero: '0', titulo: 'Encerrar', tipo: 'finalizar', resposta: '' },
    ],
  },
]

export interface ModeloIa {
  readonly id: string
  readonly nome: string
  readonly recomendado?: true
}

/** The built-in list, used until the provider's own is known. The first label is the specification's. */
export const MODELOS_IA: readonly ModeloIa[] = [
  { id: 'gemini-2.5-flash', nome: 'Gemini 1.5 Flash', recomendado: true },
  { id: 'gemini-1.5-pro', nome: 'Gemini 1.5 Pro' },
  { id: 'gemini-pro', nome: 'Gemini Pro' },
]

/** What retired and unknown names lead to. */
export const MODELO_ATUAL = 'gemini-flash-latest'

/** The name to ask the provider for: retired names lead to the current one (decisions §2). */
export function modeloVigente(id: string): string {
  return id === 'gemini-pro' || id.startsWith('gemini-1.5-') ? MODELO_ATUAL : id
}

/** Whether a model sees pictures and hears recordings: every Gemini that is still offered does. */
export function modeloLeMidia(id: string): boolean {
  return modeloVigente(id).startsWith('gemini-')
}
