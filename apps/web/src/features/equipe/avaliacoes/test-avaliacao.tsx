import { testeAvaliacaoRoute } from '@balcao/contract/routes/atendimento'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { maskPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

/** Adds Brazil's country code to 10 or 11 digits. Other numbers keep only their digits. */
function withCountryCode(written: string): string {
  const digits = written.replace(/\D/g, '')
  return digits.length === 10 || digits.length === 11 ? `55${digits}` : digits
}

function maskTyped(written: string): string {
  return written.trimStart().startsWith('+') || written.replace(/\D/g, '').length > 11 ? written : maskPhone(written)
}

/** Asks a contato for a rating in simulation: nothing is sent, and the daily limit is not used. */
export function TestAvaliacao({ onFechar }: { onFechar: () => void }) {
  const cliente = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [telefone, setTelefone] = useState('')
  const [erro, setErro] = useState<string>()
  const [ocupado, setOcupado] = useState(false)
  const refuse = (said: string): void => {
    setErro(said)
    field.current?.focus()
  }
  const test = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (ocupado) return
    if (telefone.replace(/\D/g, '') === '') return refuse('Informe o telefone')
    setOcupado(true)
    try {
      const { mensagem } = await call(testeAvaliacaoRoute, { body: { whatsappId: withCountryCode(telefone) } })
      onFechar()
      notify.sucesso(mensagem)
      void cliente.invalidateQueries({ queryKey: ['atendimento', 'avaliacoes'] })
    } catch (cause) {
      setOcupado(false)
      const detail = cause instanceof ApiError ? cause.dados.detalhes?.[0] : undefined
      refuse(detail?.mensagem ?? `${testeAvaliacaoRoute.fallbackError}: ${errorMessage(cause)}`)
    }
  }
  return (
    <Dialog open title="Testar avaliação" onClose={onFechar}>
      <form noValidate onSubmit={(event) => void test(event)} className="grid gap-4">
        <p className="text-muted">
          Simula o fim de um atendimento com este contato: nada é enviado a ele. A próxima nota de 0 a 5 que ele mandar
          conta como avaliação.
        </p>
        <TextField
          ref={field}
          label="Telefone com DDD"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="(11) 98765-4321"
          required
          maxLength={30}
          value={telefone}
          error={erro}
          onChange={({ currentTarget }) => {
            setTelefone(maskTyped(currentTarget.value))
            setErro(undefined)
          }}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button className="min-h-11" onClick={onFechar}>
            Cancelar
          </Button>
          <Button type="submit" variant="primary" className="min-h-11" busy={ocupado}>
            {ocupado ? 'Simulando…' : 'Simular pergunta'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
