import { SENHA_MINIMO } from '@balcao/contract/constants'
import { useState } from 'react'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { PASSWORD_STRENGTHS, measurePassword } from './password-strength.ts'

export interface NewPasswordProps {
  readonly label: string
  readonly errorOf: (field: string) => string | undefined
}

const STRENGTH_COLOR = ['bg-line', 'bg-danger', 'bg-warn-fill', 'bg-brand', 'bg-brand'] as const

export function NewPassword({ label, errorOf }: NewPasswordProps) {
  const [password, setSenha] = useState('')
  const nivel = measurePassword(password)
  return (
    <>
      <PasswordField
        label={label}
        name="senha"
        autoComplete="new-password"
        required
        value={password}
        onChange={({ currentTarget }) => setSenha(currentTarget.value)}
        error={errorOf('senha')}
        hint={
          <>
            <span aria-hidden className="mb-1 flex gap-1">
              {[1, 2, 3, 4].map((part) => (
                <span
                  key={part}
                  className={`h-1 flex-1 rounded-full ${part <= nivel ? STRENGTH_COLOR[nivel] : 'bg-line'}`}
                />
              ))}
            </span>
            {nivel === 0
              ? `Use pelo menos ${SENHA_MINIMO} caracteres.`
              : `Força da senha: ${PASSWORD_STRENGTHS[nivel]}.`}
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
