import type { StatusConversa } from '@balcao/contract/entities/conversa'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { CONVERSA_STATUS_LABEL } from '#features/atendimento/lista/filters.ts'

export { SetorNameChip, hueStyle, SetorDot } from '#shared/ui/setor-chip.tsx'

const STATUS_TONE: Readonly<Record<StatusConversa, ChipTone>> = {
  aguardando: 'amarelo',
  em_atendimento: 'azul',
  finalizada: 'verde',
}

export function ConversaStatusChip({ status }: { status: StatusConversa }) {
  return <Chip tone={STATUS_TONE[status]}>{CONVERSA_STATUS_LABEL[status]}</Chip>
}
