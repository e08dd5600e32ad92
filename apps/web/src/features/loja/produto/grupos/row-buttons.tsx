import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import clsx from 'clsx'
import { IconButton } from '#shared/ui/icon-button.tsx'

interface RowButtonsProps {
  /** Name of the row, for screen readers. */
  readonly of: string
  readonly first: boolean
  readonly last: boolean
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

const ICON = { size: 18, 'aria-hidden': true } as const

export function RowButtons({ of, first, last, onMove, onRemove }: RowButtonsProps) {
  const move = (label: string, step: -1 | 1, stopped: boolean) => (
    <IconButton
      label={`${label} ${of}`}
      tooltip={false}
      size="touch"
      // `aria-disabled` instead of `disabled`, which would drop the focus at the last step.
      aria-disabled={stopped || undefined}
      className={clsx(stopped && 'opacity-60')}
      icon={step < 0 ? <ArrowUp {...ICON} /> : <ArrowDown {...ICON} />}
      onClick={() => {
        if (!stopped) onMove(step)
      }}
    />
  )
  return (
    <div className="flex">
      {move('Subir', -1, first)}
      {move('Descer', 1, last)}
      <IconButton label={`Remover ${of}`} tooltip={false} size="touch" icon={<Trash2 {...ICON} />} onClick={onRemove} />
    </div>
  )
}
