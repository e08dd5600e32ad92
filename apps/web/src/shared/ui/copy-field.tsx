import { Copy } from 'lucide-react'
import { Button } from './button.tsx'
import { copyText } from './copy-icon-button.tsx'
import { TextField } from './text-field.tsx'

interface CopyFieldProps {
  readonly label: string
  readonly value: string
}

export function CopyField({ label, value }: CopyFieldProps) {
  return (
    <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
      <TextField
        label={label}
        value={value}
        readOnly
        className="font-mono text-sm"
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button className="sm:mt-[1.55rem] sm:self-start" onClick={() => void copyText(value, 'Copiado!')}>
        <Copy aria-hidden className="size-4" /> Copiar<span className="sr-only"> {label}</span>
      </Button>
    </div>
  )
}
