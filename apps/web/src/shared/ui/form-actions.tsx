import { Button } from './button.tsx'

export interface FormActionsProps {
  readonly onCancel: () => void
  readonly busy: boolean
  readonly submitLabel: string
}

export function FormActions({ onCancel, busy, submitLabel }: FormActionsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button size="touch" onClick={onCancel}>
        Cancelar
      </Button>
      <Button type="submit" variant="primary" size="touch" busy={busy}>
        {submitLabel}
      </Button>
    </div>
  )
}
