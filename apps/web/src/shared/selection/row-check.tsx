import clsx from 'clsx'

interface RowCheckProps {
  readonly name: string
  readonly checked: boolean
  /** False: only under the pointer. */
  readonly shown: boolean
  readonly className: string
  readonly onToggle: (range: boolean) => void
}

/** The box that chooses a row of class `group`. Out of the Tab order while hidden: X chooses by keyboard. */
export function RowCheck({ name, checked, shown, className, onToggle }: RowCheckProps) {
  return (
    <label className={clsx('grid place-items-center', !shown && 'opacity-0 group-hover:opacity-100', className)}>
      <span className="grid size-11 place-items-center rounded-md bg-surface">
        <input
          type="checkbox"
          tabIndex={shown ? 0 : -1}
          aria-label={`Selecionar ${name}`}
          className="size-5 accent-brand"
          checked={checked}
          onChange={() => undefined}
          // The event of a change has no modifier keys.
          onClick={({ shiftKey }) => onToggle(shiftKey)}
        />
      </span>
    </label>
  )
}
