import type { StatusConversa } from '@balcao/contract/entities/conversa'
import { Chip, type Tom } from '#shared/ui/chip.tsx'
import { ROTULO_DO_STATUS } from './filtros.ts'

export { ChipDoSetor, estiloDaCor, Ponto } from '#shared/ui/setor.tsx'

const TOM: Readonly<Record<StatusConversa, Tom>> = {
  aguardando: 'amarelo',
  em_atendimento: 'azul',
  finalizada: 'verde',
}

export function ChipDoStatus({ status }: { status: StatusConversa }) {
  return <Chip tom={TOM[status]}>{ROTULO_DO_STATUS[status]}</Chip>
}
