import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** Row types as Kysely sees them: column names in camelCase (CamelCasePlugin), one interface per table of `migrations/`. */

type Carimbo = ColumnType<Date, Date | string | undefined, Date | string>
type CarimboObrigatorio = ColumnType<Date, Date | string, Date | string>
type CarimboNulo = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** JSON comes back parsed, of a shape that only its schema knows; it goes in as text. */
type Json = ColumnType<unknown, string, string>
type JsonNulo = ColumnType<unknown, string | null | undefined, string | null>
type ListaDeTextos = JSONColumnType<string[], string | undefined, string>

export interface ContasTable {
  id: string
  empresa: string
  plano: ColumnType<'gratuito' | 'doacao', 'gratuito' | 'doacao' | undefined, 'gratuito' | 'doacao'>
  limiteMensagensDia: number
  opcoesMenuMaximo: number | null
  iaPermitida: Generated<boolean>
  componentesPermitidos: Json
  semLimite: Generated<boolean>
  manutencao: Generated<boolean>
  fuso: Generated<string>
  criadaEm: Carimbo
  excluidaEm: CarimboNulo
}

interface UsuariosTable {
  id: string
  contaId: string
  nome: string
  email: string
  telefone: Generated<string>
  tipo: 'admin' | 'usuario' | 'operador'
  status: 'pendente' | 'ativo' | 'inativo'
  /** Null: invited, and no password chosen yet. */
  senhaHash: string | null
  setores: ListaDeTextos
  dataCriacao: Carimbo
  excluidoEm: CarimboNulo
}

interface SessoesTable {
  tokenHash: Buffer
  usuarioId: string
  criadaEm: Carimbo
  expiraEm: CarimboObrigatorio
  ultimoUso: Carimbo
  ip: Generated<string>
  agente: Generated<string>
  revogadaEm: CarimboNulo
}

interface RedefinicoesSenhaTable {
  tokenHash: Buffer
  usuarioId: string
  criadaEm: Carimbo
  expiraEm: CarimboObrigatorio
  usadaEm: CarimboNulo
}

interface TentativasTable {
  chave: string
  em: Carimbo
}

interface EmailsTable {
  id: string
  contaId: string | null
  tipo: string
  chave: string | null
  para: string
  assunto: string
  texto: string
  criadoEm: Carimbo
  enviadoEm: CarimboNulo
  tentativas: Generated<number>
  proximaEm: Carimbo
  erro: string | null
}

interface ConfiguracoesAdminTable {
  unica: Generated<boolean>
  limiteUsuariosPorPlano: Generated<number>
  mensagensPorDia: Generated<number>
  permitirAutoRegistro: Generated<boolean>
  notificacoesEmail: Generated<boolean>
}

interface ConfiguracoesTable {
  contaId: string
  versao: number
  dados: Json
  autorId: string | null
  autor: string
  restauradaDe: number | null
  criadaEm: Carimbo
}

interface ProdutosTable {
  contaId: string
  id: string
  nome: string
  descricao: string
  /** numeric(12, 2), read as a number. */
  preco: number
  linkCheckout: string | null
  ativo: Generated<boolean>
  ordem: number
  imagemUrl: string | null
  criadoEm: Carimbo
}

interface ContatosTable {
  contaId: string
  id: string
  nome: Generated<string>
  telefone: Generated<string>
  estado: JsonNulo
  conversaId: string | null
  endereco: string
  ultimaAtividade: Carimbo
  ultimoTexto: Generated<string>
  ultimaDirecao: Generated<string>
  criadoEm: Carimbo
}

interface EnderecosTable {
  contaId: string
  endereco: string
  contatoId: string
}

interface ConversasTable {
  contaId: string
  id: string
  contatoId: string
  status: 'bot' | 'aguardando' | 'em_atendimento' | 'finalizada'
  setor: string | null
  protocolo: string | null
  operadorId: string | null
  operador: string | null
  teste: Generated<boolean>
  naoLidas: Generated<number>
  iniciadaEm: Carimbo
  ultimaAtividade: Carimbo
  aguardandoDesde: CarimboNulo
  assumidaEm: CarimboNulo
  primeiraRespostaEm: CarimboNulo
  finalizadaEm: CarimboNulo
  motivoFim: string | null
}

interface MensagensTable {
  contaId: string
  id: string
  conversaId: string
  direcao: 'entrada' | 'saida'
  origem: 'cliente' | 'bot' | 'ia' | 'operador' | 'telefone'
  texto: string
  midia: JsonNulo
  canal: string
  idExterno: string | null
  estado: string
  erro: string | null
  operadorId: string | null
  operador: string | null
  idTemporario: string | null
  simulada: Generated<boolean>
  criadaEm: CarimboObrigatorio
}

interface SaidaTable {
  contaId: string
  mensagemId: string
  contatoId: string
  endereco: string
  conteudo: Json
  idExterno: string
  tentativas: Generated<number>
  proximaEm: Carimbo
  ultimoErro: string | null
}

interface PerguntasIaTable {
  contaId: string
  id: string
  contatoId: string
  perguntarEm: CarimboObrigatorio
  criadaEm: Carimbo
  /** The message that began the question; null is the question's own. */
  desdeId: string | null
}

interface RespostasIaTable {
  contaId: string
  mensagemId: string
  dados: Json
  criadaEm: CarimboObrigatorio
}

interface UsoIaTable {
  contaId: string
  /** `AAAA-MM-DD`. */
  dia: string
  perguntas: Generated<number>
  falhas: Generated<number>
  /** bigint, read as a number. */
  tokensEntrada: Generated<number>
  tokensSaida: Generated<number>
}

interface AvaliacoesTable {
  contaId: string
  id: string
  conversaId: string
  contatoId: string
  nota: number
  setor: string | null
  operadorId: string | null
  teste: Generated<boolean>
  criadaEm: Carimbo
}

interface UsoDiarioTable {
  contaId: string
  /** `AAAA-MM-DD`. */
  dia: string
  usadas: Generated<number>
  total: Generated<number>
  recebidas: Generated<number>
}

interface ProtocolosTable {
  contaId: string
  dia: string
  ultimo: number
}

interface LogsTable {
  contaId: string
  id: string
  tipo: 'info' | 'error' | 'success' | 'warning' | 'bot' | 'user'
  mensagem: string
  detalhes: JsonNulo
  timestamp: CarimboObrigatorio
}

interface BotsTable {
  contaId: string
  desejado: Generated<boolean>
  conector: Generated<string>
  status: Generated<string>
  motivo: string | null
  qrCode: string | null
  qrExpiraEm: CarimboNulo
  conectadoComo: string | null
  credenciais: JsonNulo
  no: string | null
  epoca: Generated<number>
  parada: number | null
  leaseExpira: CarimboNulo
  desconectadoDesde: CarimboNulo
  atualizadoEm: Carimbo
}

interface ArquivosTable {
  contaId: string
  nome: string
  uso: 'midia'
  tipo: string
  tamanho: number
  nomeOriginal: Generated<string>
  estado: ColumnType<'pendente' | 'pronto', 'pendente' | 'pronto' | undefined, 'pendente' | 'pronto'>
  criadoEm: CarimboObrigatorio
}

interface NumerosHorariosTable {
  /** The full hour. */
  em: CarimboObrigatorio
  totalUsuarios: number
  usuariosAtivos: number
  botsAtivos: number
  mensagensHoje: number
}

interface RespostasRapidasTable {
  contaId: string
  atalho: string
  texto: string
  ordem: number
}

interface WhatsappChavesTable {
  contaId: string
  tipo: string
  id: string
  valor: string
}

interface WhatsappChegadasTable {
  contaId: string
  id: string
  ordem: Generated<number>
  valor: string
  chegouEm: Carimbo
}

export interface Tables {
  contas: ContasTable
  usuarios: UsuariosTable
  sessoes: SessoesTable
  redefinicoesSenha: RedefinicoesSenhaTable
  tentativas: TentativasTable
  emails: EmailsTable
  configuracoesAdmin: ConfiguracoesAdminTable
  configuracoes: ConfiguracoesTable
  produtos: ProdutosTable
  contatos: ContatosTable
  enderecos: EnderecosTable
  conversas: ConversasTable
  mensagens: MensagensTable
  saida: SaidaTable
  perguntasIa: PerguntasIaTable
  respostasIa: RespostasIaTable
  usoIa: UsoIaTable
  avaliacoes: AvaliacoesTable
  usoDiario: UsoDiarioTable
  protocolos: ProtocolosTable
  logs: LogsTable
  bots: BotsTable
  arquivos: ArquivosTable
  numerosHorarios: NumerosHorariosTable
  respostasRapidas: RespostasRapidasTable
  whatsappChaves: WhatsappChavesTable
  whatsappChegadas: WhatsappChegadasTable
}
