import type { Generated } from 'kysely'
import type {
  TimestampColumn,
  NullableTimestampColumn,
  RequiredTimestampColumn,
  NullableJsonColumn,
} from './columns.ts'
import type {
  ArquivosTable,
  AvaliacoesTable,
  ContatosTable,
  ConversasTable,
  EnderecosTable,
  MensagensTable,
  PerguntasIaTable,
  ProtocolosTable,
  RespostasIaTable,
  RespostasRapidasTable,
  SaidaTable,
  UsoDiarioTable,
  UsoIaTable,
  VistosTable,
} from './tables/conversas.ts'
import type {
  BotsTable,
  CopiasSegurancaTable,
  NosTable,
  RecadosTable,
  RestauracoesTable,
  TarefasTable,
  TotaisTable,
} from './tables/nos.ts'
import type {
  ContasTable,
  RedefinicoesSenhaTable,
  SessoesTable,
  TentativasTable,
  UsuariosTable,
} from './tables/contas.ts'
import type { AtendimentoTables } from './tables/atendimento.ts'
import type { ContatosTables } from './tables/contatos.ts'
import type { ApagadosTable, AvisosPrivacidadeTable, ConsentimentosTable, PrivacidadeTable } from './tables/lgpd.ts'
import type { BuscaContasTable, BuscaMensagensTable, BuscaNotasTable, BuscaPalavrasTable } from './tables/busca.ts'
import type { CodigosRecuperacaoTable, DesafiosTable, PasskeysTable } from './tables/identidade.ts'
import type { PushAvisosTable, PushInscricoesTable, PushPreferenciasTable } from './tables/push.ts'

/** Row types for Kysely: column names in camelCase (CamelCasePlugin), one interface per table. */

interface EmailsTable {
  id: string
  contaId: string | null
  tipo: string
  chave: string | null
  para: string
  assunto: string
  texto: string
  criadoEm: TimestampColumn
  enviadoEm: NullableTimestampColumn
  tentativas: Generated<number>
  proximaEm: TimestampColumn
  erro: string | null
}

interface ConfiguracoesAdminTable {
  unica: Generated<boolean>
  limiteUsuariosPorPlano: Generated<number>
  mensagensPorDia: Generated<number>
  permitirAutoRegistro: Generated<boolean>
  notificacoesEmail: Generated<boolean>
  suporteWhatsapp: Generated<string>
  canario: Generated<string | null>
  vapidPublica: Generated<string | null>
  /** Sealed. */
  vapidPrivada: Generated<string | null>
  exigirSegundoFatorAdmin: Generated<boolean>
  politicaSenha: Generated<'padrao' | 'forte'>
  recusarComuns: Generated<boolean>
}

interface ConfiguracoesTable {
  contaId: string
  versao: number
  /** Null: the version equals `igualA`, or its content was deleted. */
  dados: NullableJsonColumn
  igualA: number | null
  /** Bytes of `dados`. */
  bytes: Generated<number>
  autorId: string | null
  autor: string
  restauradaDe: number | null
  criadaEm: TimestampColumn
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
  criadoEm: TimestampColumn
}

interface LogsTable {
  contaId: string
  id: string
  tipo: 'info' | 'error' | 'success' | 'warning' | 'bot' | 'user'
  mensagem: string
  detalhes: NullableJsonColumn
  timestamp: RequiredTimestampColumn
}

interface AuditoriaTable {
  id: string
  em: RequiredTimestampColumn
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

interface NumerosHorariosTable {
  em: RequiredTimestampColumn
  totalUsuarios: number
  usuariosAtivos: number
  botsAtivos: number
  mensagensHoje: number
}

interface ChavesEmUsoTable {
  prova: string
}

interface PainelVersoesTable {
  versao: string
  vistaEm: TimestampColumn
}

interface PainelArquivosTable {
  nome: string
  versao: string
  bytes: Buffer
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
  chegouEm: TimestampColumn
}

interface OficialContasTable {
  contaId: string
  telefoneId: string
  contaWhatsappId: string
  token: string
  segredo: string
  verificacao: string
  endereco: string
  atualizadoEm: TimestampColumn
}

interface OficialChegadasTable {
  contaId: string
  id: string
  ordem: Generated<number>
  valor: string
  chegouEm: TimestampColumn
  tentativas: Generated<number>
  tentarEm: NullableTimestampColumn
}

export interface Tables extends AtendimentoTables, ContatosTables {
  contas: ContasTable
  usuarios: UsuariosTable
  sessoes: SessoesTable
  redefinicoesSenha: RedefinicoesSenhaTable
  passkeys: PasskeysTable
  codigosRecuperacao: CodigosRecuperacaoTable
  desafios: DesafiosTable
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
  vistos: VistosTable
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
  recados: RecadosTable
  tarefas: TarefasTable
  totais: TotaisTable
  copiasSeguranca: CopiasSegurancaTable
  restauracoes: RestauracoesTable
  respostasRapidas: RespostasRapidasTable
  chavesEmUso: ChavesEmUsoTable
  painelVersoes: PainelVersoesTable
  painelArquivos: PainelArquivosTable
  whatsappChaves: WhatsappChavesTable
  whatsappChegadas: WhatsappChegadasTable
  privacidade: PrivacidadeTable
  avisosPrivacidade: AvisosPrivacidadeTable
  consentimentos: ConsentimentosTable
  apagados: ApagadosTable
  oficialContas: OficialContasTable
  oficialChegadas: OficialChegadasTable
  buscaMensagens: BuscaMensagensTable
  buscaContas: BuscaContasTable
  buscaPalavras: BuscaPalavrasTable
  buscaNotas: BuscaNotasTable
  pushInscricoes: PushInscricoesTable
  pushPreferencias: PushPreferenciasTable
  pushAvisos: PushAvisosTable
}
