import clsx from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { Field } from './field.tsx'

export interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: string
  readonly error?: string | undefined
  readonly hint?: ReactNode
}

export function PasswordField({ label, error, hint, className, ...input }: PasswordFieldProps) {
  const [visivel, setVisivel] = useState(false)
  return (
    <Field label={label} error={error} hint={hint}>
      {(link) => (
        <div className="relative">
          <input {...input} {...link} type={visivel ? 'text' : 'password'} className={clsx('field pr-12', className)} />
          <button
            type="button"
            aria-label={visivel ? 'Ocultar o que foi digitado' : 'Mostrar o que foi digitado'}
            aria-pressed={visivel}
            onClick={() => setVisivel(!visivel)}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-[10px] text-muted"
          >
            {visivel ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
          </button>
        </div>
      )}
    </Field>
  )
}
