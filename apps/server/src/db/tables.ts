import type { ColumnType, Generated } from 'kysely'
import type { Carimbo, CarimboNulo, CarimboObrigatorio, Json, JsonNulo, ListaDeTextos } from './columns.ts'
import type {
  ArquivosTable,
  AvaliacoesTable,
  ContatosTable,
  ConversasTable,
  EnderecosTable,
  MensagensTable,
  PerguntasIaTable,
  RespostasIaTable,
  RespostasRapidasTable,
  SaidaTable,
  UsoIaTable,
} from './tables-conversas.ts'
import type { ApagadosTable, AvisosPrivacidadeTable, ConsentimentosTable, PrivacidadeTable } from './tables-lgpd.ts'

/** Row types for Kysely: column names in camelCase (CamelCasePlugin), one interface per table. */

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
  /** Null: invited, no password set yet. */
  senhaHash: string | null
  setores: ListaDeTextos
  dataCriacao: Carimbo
  excluidoEm: CarimboNulo
  voltaComConta: Generated<boolean>
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
  convite: Generated<boolean>
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
  canario: Generated<string | null>
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

interface UsoDiarioTable {
  contaId: string
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
  ultimoQuadro: CarimboNulo
  atualizadoEm: Carimbo
}

interface AuditoriaTable {
  id: string
  em: CarimboObrigatorio
  acao: string
  resultado: Generated<'feito' | 'recusado'>
  quemId: string | null
  quemNome: Generated<string>
  quemEmail: Generated<string>
  contaId: string | null
  alvoId: string | null
  alvoNome: Generated<string>
  alvoEmail: Generated<string>
  ip: Generated<string>
  detalhe: Generated<string>
}

interface NosTable {
  id: string
  nome: string
  versao: string
  node: string
  iniciadoEm: CarimboObrigatorio
  vistoEm: CarimboObrigatorio
  memoria: number
  cpu: number
}

interface CopiasSegurancaTable {
  id: Generated<number>
  em: Carimbo
  linhas: number
  tabelas: number
  bytes: number
  cifrada: boolean
}

interface NumerosHorariosTable {
  em: CarimboObrigatorio
  totalUsuarios: number
  usuariosAtivos: number
  botsAtivos: number
  mensagensHoje: number
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

interface OficialContasTable {
  contaId: string
  telefoneId: string
  contaWhatsappId: string
  token: string
  segredo: string
  verificacao: string
  endereco: string
  atualizadoEm: Carimbo
}

interface OficialChegadasTable {
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
  auditoria: AuditoriaTable
  nos: NosTable
  copiasSeguranca: CopiasSegurancaTable
  respostasRapidas: RespostasRapidasTable
  whatsappChaves: WhatsappChavesTable
  whatsappChegadas: WhatsappChegadasTable
  privacidade: PrivacidadeTable
  avisosPrivacidade: AvisosPrivacidadeTable
  consentimentos: ConsentimentosTable
  apagados: ApagadosTable
  oficialContas: OficialContasTable
  oficialChegadas: OficialChegadasTable
}
