import type { Setor } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import { formatMarks } from '#shared/preview/format-marks.tsx'
import type { DraftOpcao } from './menu-draft.ts'
import { OpcaoTypeChip, DEFAULT_REPLY_HINT } from './opcao-type.tsx'

export interface OpcaoViewProps {
  readonly opcao: DraftOpcao
  readonly setores: readonly Setor[]
  readonly highlighted: boolean
  readonly onHighlight: (numero: string | null) => void
}

export function OpcaoView({ opcao, setores, highlighted, onHighlight }: OpcaoViewProps) {
  const reply = opcao.tipo === 'finalizar' ? '' : opcao.resposta.trim()
  return (
    <li
      onMouseEnter={() => onHighlight(opcao.numero)}
      onMouseLeave={() => onHighlight(null)}
      className={clsx('-mx-2 flex gap-3 rounded-xl p-2 transition-colors', highlighted && 'bg-brand-soft')}
    >
      <span className="grid h-9 min-w-9 flex-none place-items-center rounded-[10px] border border-line bg-surface px-1 font-bold text-brand-ink tabular-nums">
        <span>
          <span className="sr-only">Opção </span>
          {opcao.numero}
        </span>
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <p className="flex flex-col items-start gap-x-3 gap-y-1 sm:flex-row sm:items-center">
          <span className="mr-auto min-w-0 font-semibold [overflow-wrap:anywhere]">{opcao.titulo}</span>
          <OpcaoTypeChip opcao={opcao} setores={setores} />
        </p>
        <p
          className={clsx(
            'mt-1 text-sm [overflow-wrap:anywhere] whitespace-pre-line',
            highlighted ? 'text-ink' : 'text-muted',
            reply === '' && 'italic',
          )}
        >
          {reply === '' ? (DEFAULT_REPLY_HINT[opcao.tipo] ?? 'Sem resposta.') : formatMarks(reply)}
        </p>
      </div>
    </li>
  )
}
