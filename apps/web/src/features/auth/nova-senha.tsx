import { SENHA_MINIMO } from '@balcao/contract/constants'
import { useState } from 'react'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { FORCAS, measureSenha } from './forca-da-senha.ts'

export interface NovaSenhaProps {
  readonly rotulo: string
  readonly erroDe: (campo: string) => string | undefined
}

const COR = ['bg-line', 'bg-danger', 'bg-warn-fill', 'bg-brand', 'bg-brand'] as const

export function NovaSenha({ rotulo, erroDe }: NovaSenhaProps) {
  const [senha, setSenha] = useState('')
  const nivel = measureSenha(senha)
  return (
    <>
      <PasswordField
        rotulo={rotulo}
        name="senha"
        autoComplete="new-password"
        required
        value={senha}
        onChange={({ currentTarget }) => setSenha(currentTarget.value)}
        erro={erroDe('senha')}
        dica={
          <>
            <span aria-hidden className="mb-1 flex gap-1">
              {[1, 2, 3, 4].map((parte) => (
                <span key={parte} className={`h-1 flex-1 rounded-full ${parte <= nivel ? COR[nivel] : 'bg-line'}`} />
              ))}
            </span>
            {nivel === 0 ? `Use pelo menos ${SENHA_MINIMO} caracteres.` : `Força da senha: ${FORCAS[nivel]}.`}
          </>
        }
        className="min-h-12"
      />
      <PasswordField
        rotulo="Confirmar senha"
        name="confirmarSenha"
        autoComplete="new-password"
        required
        erro={erroDe('confirmarSenha')}
        className="min-h-12"
      />
    </>
  )
}
