import type { ReactNode } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { NewPassword } from './new-password.tsx'
import { FormRefusalNotice } from '#features/auth/form-refusal.tsx'
import type { AuthForm } from '#features/auth/use-auth-form.ts'

export interface PasswordFormProps {
  readonly form: AuthForm
  readonly label: string
  readonly saveLabel: string
  readonly children?: ReactNode
}

export function PasswordForm({ form, label, saveLabel, children }: PasswordFormProps) {
  const { refusal, busy, onSubmit, errorOf } = form
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-4">
      <FormRefusalNotice refusal={refusal} />
      {children}
      <NewPassword label={label} errorOf={errorOf} />
      <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
        {busy ? 'Salvando...' : saveLabel}
      </Button>
    </form>
  )
}
