import type { ColumnType, Generated } from 'kysely'
import type {
  TimestampColumn,
  NullableTimestampColumn,
  RequiredTimestampColumn,
  JsonColumn,
  NullableJsonColumn,
  TextListColumn,
} from '../columns.ts'

export interface ContatosTable {
  contaId: string
  id: string
  nome: Generated<string>
  telefone: Generated<string>
  estado: NullableJsonColumn
  conversaId: string | null
  endereco: string
  ultimaAtividade: TimestampColumn
  ultimoTexto: Generated<string>
  ultimaDirecao: Generated<string>
  criadoEm: TimestampColumn
  /** Time of the customer's last message over Meta's API, by Meta's clock. */
  janelaDesde: Date | null
  /** Greatest id of a message. */
  ultimoId: string | null
  /** Last message promised to the contato. */
  ultimaSaida: string | null
  /** Addresses given up and taken, see `modules/conversas/addresses`. */
  trocas: NullableJsonColumn
  /** User name of the service without '@'. */
  nomeUsuario: Generated<string>
  /** A scheduled message waits that an answer of the contato cancels. */
  temAgendada: Generated<boolean>
  observacao: Generated<string>
  /** People wrote the name: the name that the service sends does not replace it. */
  nomeDoPainel: Generated<boolean>
  /** Last change by people. */
  editadoEm: NullableTimestampColumn
  /** Folded name, computed by the database. */
  chave: ColumnType<string, never, never>
  /** Folded text that a search compares, computed by the database. */
  busca: ColumnType<string, never, never>
}

export interface EnderecosTable {
  contaId: string
  endereco: string
  contatoId: string
  criadoEm: TimestampColumn
}

export interface ConversasTable {
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
  iniciadaEm: TimestampColumn
  ultimaAtividade: TimestampColumn
  aguardandoDesde: NullableTimestampColumn
  assumidaEm: NullableTimestampColumn
  primeiraRespostaEm: NullableTimestampColumn
  finalizadaEm: NullableTimestampColumn
  motivoFim: string | null
  /** Meta's own agent serves the customer. */
  agenteMeta: Generated<boolean>
  /** Grows with each update, by a trigger. */
  revisao: Generated<number>
}

export interface MensagensTable {
  contaId: string
  id: string
  conversaId: string
  direcao: 'entrada' | 'saida'
  origem: 'cliente' | 'bot' | 'ia' | 'operador' | 'telefone'
  texto: string
  midia: NullableJsonColumn
  canal: string
  idExterno: string | null
  estado: string
  erro: string | null
  operadorId: string | null
  operador: string | null
  idTemporario: string | null
  simulada: Generated<boolean>
  extras: Generated<NullableJsonColumn>
  criadaEm: RequiredTimestampColumn
  modelo: NullableJsonColumn
}

export interface SaidaTable {
  contaId: string
  mensagemId: string
  contatoId: string
  /** Message promised to the contato before this one. */
  anterior: string | null
  endereco: string
  conteudo: JsonColumn
  idExterno: string
  tentativas: Generated<number>
  tentadaPor: number | null
  proximaEm: TimestampColumn
  ultimoErro: string | null
  venceEm: TimestampColumn
}

export interface VistosTable {
  contaId: string
  marca: string
  ate: RequiredTimestampColumn
}

export interface PerguntasIaTable {
  contaId: string
  id: string
  contatoId: string
  perguntarEm: RequiredTimestampColumn
  criadaEm: TimestampColumn
  /** First message of the question; null if the question has only its own message. */
  desdeId: string | null
}

export interface RespostasIaTable {
  contaId: string
  mensagemId: string
  dados: JsonColumn
  criadaEm: RequiredTimestampColumn
}

export interface UsoIaTable {
  contaId: string
  dia: string
  perguntas: Generated<number>
  falhas: Generated<number>
  tokensEntrada: Generated<number>
  tokensSaida: Generated<number>
}

export interface AvaliacoesTable {
  contaId: string
  id: string
  conversaId: string
  contatoId: string
  nota: number
  setor: string | null
  operadorId: string | null
  teste: Generated<boolean>
  criadaEm: TimestampColumn
}

export interface ArquivosTable {
  contaId: string
  nome: string
  uso: 'midia' | 'produto' | 'historico'
  tipo: string
  tamanho: number
  /** Bytes of the thumbnail, if there is one. */
  tamanhoMini: ColumnType<number | null, number | null | undefined, never>
  nomeOriginal: Generated<string>
  estado: ColumnType<'pendente' | 'pronto', 'pendente' | 'pronto' | undefined, 'pendente' | 'pronto'>
  criadoEm: RequiredTimestampColumn
}

export interface RespostasRapidasTable {
  contaId: string
  atalho: string
  texto: string
  ordem: number
  setores: TextListColumn
}

export interface UsoDiarioTable {
  contaId: string
  dia: string
  usadas: Generated<number>
  total: Generated<number>
  recebidas: Generated<number>
}

export interface ProtocolosTable {
  contaId: string
  dia: string
  ultimo: number
}
