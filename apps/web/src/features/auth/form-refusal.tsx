import { Notice } from '#shared/ui/notice.tsx'
import type { FormRefusal } from './use-auth-form.ts'

export function FormRefusalNotice({ refusal }: { refusal: FormRefusal | null }) {
  if (refusal === null || refusal.field !== null) return null
  const { code, message, retryInS } = refusal
  if (code === 'contaPendente') {
    return (
      <Notice tone="espera" title={message}>
        Seu cadastro está conosco. Assim que for aprovado, você recebe um e-mail e já pode entrar por aqui.
      </Notice>
    )
  }
  if (code === 'contaInativa') {
    return (
      <Notice tone="espera" title={message}>
        Fale com o administrador para reativá-la. Suas configurações continuam guardadas.
      </Notice>
    )
  }
  return (
    <Notice tone="erro" title={message}>
      {retryInS === undefined ? undefined : `Você pode tentar de novo em ${formatMinutes(retryInS)}.`}
    </Notice>
  )
}

function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`
}
