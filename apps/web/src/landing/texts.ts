import type { Plano } from '@balcao/contract/constants'

export const HERO = {
  selo: 'Atendimento pelo WhatsApp',
  titulo: 'Seu balcão no WhatsApp,',
  destaque: 'sempre aberto.',
  promessa: 'O bot recebe cada cliente, mostra o menu e os produtos e chama você quando a conversa pede uma pessoa.',
  nota: 'Grátis para começar, sem cartão. O cadastro passa por aprovação.',
  legenda: 'Pode mexer: este bot responde de verdade.',
} as const

export type FeatureIcon = 'ligar' | 'ia' | 'ajustes' | 'logs' | 'seguranca' | 'relogio'

export const LANDING_FEATURES: readonly { icone: FeatureIcon; titulo: string; texto: string }[] = [
  {
    icone: 'ligar',
    titulo: 'Inicie e pare com um clique',
    texto: 'Você decide quando o bot trabalha e vê o estado da conexão mudar na hora.',
  },
  {
    icone: 'ia',
    titulo: 'Inteligência artificial integrada',
    texto: 'Com a sua chave do Gemini, a IA tira dúvidas no tom da sua empresa e passa a vez para uma pessoa.',
  },
  {
    icone: 'ajustes',
    titulo: 'Configuração fácil',
    texto: 'Escreva o menu e converse com ele ao lado, como cliente, antes mesmo de salvar.',
  },
  {
    icone: 'logs',
    titulo: 'Logs em tempo real',
    texto: 'Mensagens, conexões e erros aparecem no instante em que acontecem, com filtros e exportação.',
  },
  {
    icone: 'seguranca',
    titulo: 'Segurança e controle de usuários',
    texto: 'Um administrador aprova cada conta e define limites e permissões por usuário.',
  },
  {
    icone: 'relogio',
    titulo: 'Disponível 24 horas, 7 dias por semana',
    texto: 'De madrugada, no feriado ou no horário de pico, ninguém fica sem resposta.',
  },
]

export const PICTURE_SIZE = { width: 1280, height: 720 } as const

export const LANDING_PICTURES: readonly { file: string; titulo: string; texto: string; alt: string }[] = [
  {
    file: 'atendimento',
    titulo: 'Quem espera fica em cima',
    texto: 'Cada pessoa vê as suas conversas, a fila e as menções, com o tempo sem resposta. O cliente não se perde.',
    alt: 'Aba Atendimento: a lista com as conversas sem resposta em cima, e uma conversa aberta ao lado.',
  },
  {
    file: 'busca',
    titulo: 'Uma busca acha tudo',
    texto: 'Clientes, conversas antigas, mensagens com erro de digitação, produtos e ajustes, com um atalho só.',
    alt: 'Busca do painel: mensagens com a palavra marcada e produtos, achados por uma palavra só.',
  },
  {
    file: 'relatorio',
    titulo: 'O dia em números',
    texto:
      'Quanto os clientes esperaram, quem ficou sem resposta, as horas cheias e as notas, ao lado do período anterior.',
    alt: 'Relatório: conversas, espera pela primeira resposta, tempo até o fim e nota média, com o gráfico dos dias.',
  },
]

export const LANDING_STEPS: readonly { titulo: string; texto: string }[] = [
  {
    titulo: 'Crie sua conta',
    texto: 'Preencha o cadastro. Assim que um administrador aprovar, você já pode entrar.',
  },
  {
    titulo: 'Configure o bot e a chave de IA',
    texto: 'Ajuste o menu, as mensagens e os produtos. A IA é opcional: basta colar a sua chave.',
  },
  {
    titulo: 'Inicie o bot e escaneie o QR Code',
    texto: 'Aponte o celular da empresa para a tela. Daí em diante, o balcão está aberto.',
  },
]

export interface LandingPlano {
  readonly id: Plano
  readonly name: string
  readonly price: string
  readonly period: string
  readonly summary: string
  readonly highlighted: boolean
  readonly items: readonly { texto: string; incluso: boolean }[]
}

export const LANDING_PLANOS: readonly LandingPlano[] = [
  {
    id: 'gratuito',
    name: 'Gratuito',
    price: 'R$ 0',
    period: 'para sempre',
    summary: 'Para começar a atender hoje.',
    highlighted: false,
    items: [
      { texto: 'Até 500 mensagens/dia', incluso: true },
      { texto: 'Sem IA', incluso: false },
      { texto: 'Menu limitado', incluso: false },
    ],
  },
  {
    id: 'doacao',
    name: 'Doação',
    price: 'R$ 10,00',
    period: '/mês',
    summary: 'Para quem atende muita gente.',
    highlighted: true,
    items: [
      { texto: 'Até 1000 mensagens/dia', incluso: true },
      { texto: 'IA incluída', incluso: true },
      { texto: 'Menu ilimitado', incluso: true },
      { texto: 'Suporte pelo WhatsApp', incluso: true },
    ],
  },
]

export const PLANOS_NOTE =
  'Os limites do plano valem quando o administrador o aplica à sua conta. Até lá valem os limites iniciais desta instalação, que o painel mostra.'

export const FOOTER_TEXTS = {
  vinculo: 'Produto independente, sem vínculo com o WhatsApp ou a Meta.',
} as const
