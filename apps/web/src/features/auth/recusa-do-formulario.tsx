import { Recado } from '#shared/ui/recado.tsx'
import type { Recusa } from './use-envio.ts'

export function RecusaDoFormulario({ recusa }: { recusa: Recusa | null }) {
  if (recusa === null || recusa.campo !== null) return null
  const { codigo, mensagem, tentarEmS } = recusa
  if (codigo === 'contaPendente') {
    return (
      <Recado tom="espera" titulo={mensagem}>
        Seu cadastro está conosco. Assim que for aprovado, você recebe um e-mail e já pode entrar por aqui.
      </Recado>
    )
  }
  if (codigo === 'contaInativa') {
    return (
      <Recado tom="espera" titulo={mensagem}>
        Fale com o administrador para reativá-la. Suas configurações continuam guardadas.
      </Recado>
    )
  }
  return (
    <Recado tom="erro" titulo={mensagem}>
      {tentarEmS === undefined ? undefined : `Você pode tentar de novo em ${emMinutos(tentarEmS)}.`}
    </Recado>
  )
}

function emMinutos(segundos: number): string {
  const minutos = Math.max(1, Math.ceil(segundos / 60))
  return minutos === 1 ? '1 minuto' : `${minutos} minutos`
}
