import { RESPOSTA_LOJA_PADRAO } from '#constants.ts'
import type { OpcaoMenu } from '#entities/config.ts'

/** Ready-made menus, in a separate file because the panel loads them after its first screen. */

export interface ModeloMenu {
  readonly id: string
  readonly nome: string
  readonly menuPrincipal: string
  readonly opcoes: readonly OpcaoMenu[]
}

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
