import type { ColumnType, Generated } from 'kysely'
import type {
  TimestampColumn,
  NullableTimestampColumn,
  RequiredTimestampColumn,
  JsonColumn,
  TextListColumn,
} from '../columns.ts'

export interface ContasTable {
  id: string
  empresa: string
  plano: ColumnType<'gratuito' | 'doacao', 'gratuito' | 'doacao' | undefined, 'gratuito' | 'doacao'>
  planoDesejado: 'gratuito' | 'doacao' | null
  limiteMensagensDia: number
  opcoesMenuMaximo: number | null
  iaPermitida: Generated<boolean>
  componentesPermitidos: JsonColumn
  semLimite: Generated<boolean>
  manutencao: Generated<boolean>
  versaoContexto: Generated<number>
  fuso: Generated<string>
  criadaEm: TimestampColumn
  excluidaEm: NullableTimestampColumn
  /** Id of the move to another installation. Null: the conta does not move. */
  mudanca: string | null
  mudandoDesde: NullableTimestampColumn
  mudouEm: NullableTimestampColumn
  /** Address of the installation that confirmed the move. */
  mudouPara: string | null
  exigirSegundoFator: Generated<'ninguem' | 'donos' | 'todos'>
  sessaoHoras: Generated<number>
  segurancaVersao: Generated<number>
}

export interface UsuariosTable {
  id: string
  contaId: string
  nome: string
  email: string
  telefone: Generated<string>
  tipo: 'admin' | 'usuario' | 'operador'
  status: 'pendente' | 'ativo' | 'inativo'
  /** Null: invited, no password set yet. */
  senhaHash: string | null
  setores: TextListColumn
  dataCriacao: TimestampColumn
  excluidoEm: NullableTimestampColumn
  voltaComConta: Generated<boolean>
  /** Sealed, as `totpPendente`. */
  totpSegredo: string | null
  totpPendente: string | null
  totpPasso: number | null
}

export interface SessoesTable {
  tokenHash: Buffer
  usuarioId: string
  criadaEm: TimestampColumn
  expiraEm: RequiredTimestampColumn
  ultimoUso: TimestampColumn
  ip: Generated<string>
  agente: Generated<string>
  revogadaEm: NullableTimestampColumn
  confirmadaEm: NullableTimestampColumn
  metodo: Generated<'senha' | 'totp' | 'passkey' | 'recuperacao'>
  aparelho: Generated<string>
}

export interface RedefinicoesSenhaTable {
  tokenHash: Buffer
  usuarioId: string
  criadaEm: TimestampColumn
  expiraEm: RequiredTimestampColumn
  usadaEm: NullableTimestampColumn
  convite: Generated<boolean>
}

export interface TentativasTable {
  chave: string
  em: TimestampColumn
}
