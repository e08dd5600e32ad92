import type { Generated } from 'kysely'
import type { Carimbo, CarimboObrigatorio } from './columns.ts'

export interface PrivacidadeTable {
  contaId: string
  retencaoDias: Generated<number>
  guardaLegal: Generated<boolean>
  avisoAtivo: Generated<boolean>
  avisoVersao: Generated<number>
}

export interface AvisosPrivacidadeTable {
  contaId: string
  versao: number
  texto: string
  criadoEm: Carimbo
}

export interface ConsentimentosTable {
  contaId: string
  id: string
  contatoId: string
  ato: 'aviso' | 'parada' | 'retomada'
  avisoVersao: number | null
  canal: string
  criadoEm: CarimboObrigatorio
}

export interface ApagadosTable {
  contaId: string
  marca: string
  apagadoEm: CarimboObrigatorio
}
