import { SENHA_MINIMO } from '@balcao/contract/constants'
import { useState } from 'react'
import { PasswordField } from '#shared/ui/password-field.tsx'

const PASSWORD_STRENGTHS = ['curta', 'fraca', 'razoável', 'boa', 'forte'] as const

/**
 * Index into the list of strengths. Length counts most, then variety; few distinct characters stay weak.
 * Only a hint: the server enforces just the minimum length.
 */
function measurePassword(password: string): number {
  if (password.length < SENHA_MINIMO) return 0
  if (new Set(password).size < 5) return 1
  const types = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((type) => type.test(password)).length
  const points = [password.length > 8, password.length > 12, types > 1, types > 2].filter(Boolean).length
  return Math.min(4, 1 + points)
}

export interface NewPasswordProps {
  readonly label: string
  readonly errorOf: (field: string) => string | undefined
}

const STRENGTH_COLOR = ['bg-line', 'bg-danger', 'bg-warn-fill', 'bg-brand', 'bg-brand'] as const

export function NewPassword({ label, errorOf }: NewPasswordProps) {
  const [password, setPassword] = useState('')
  const level = measurePassword(password)
  return (
    <>
      <PasswordField
        label={label}
        name="senha"
        autoComplete="new-password"
        required
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        error={errorOf('senha')}
        hint={
          <>
            <span aria-hidden className="mb-1 flex gap-1">
              {[1, 2, 3, 4].map((part) => (
                <span
                  key={part}
                  className={`h-1 flex-1 rounded-full ${part <= level ? STRENGTH_COLOR[level] : 'bg-line'}`}
                />
              ))}
            </span>
            {level === 0
              ? `Use pelo menos ${SENHA_MINIMO} caracteres.`
              : `Força da senha: ${PASSWORD_STRENGTHS[level]}.`}
          </>
        }
        className="min-h-12"
      />
      <PasswordField
        label="Confirmar senha"
        name="confirmarSenha"
        autoComplete="new-password"
        required
        error={errorOf('confirmarSenha')}
        className="min-h-12"
      />
    </>
  )
}
