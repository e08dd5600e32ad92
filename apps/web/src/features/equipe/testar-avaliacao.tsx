import { testeAvaliacaoRoute } from '@balcao/contract/routes/atendimento'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/dados/erro.ts'
import { maskPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

/** Adds Brazil's country code to 10 or 11 digits. Other numbers keep only their digits. */
function withCountryCode(escrito: string): string {
  const digitos = escrito.replace(/\D/g, '')
  return digitos.length === 10 || digitos.length === 11 ? `55${digitos}` : digitos
}

function maskTyped(escrito: string): string {
  return escrito.trimStart().startsWith('+') || escrito.replace(/\D/g, '').length > 11 ? escrito : maskPhone(escrito)
}

/** Asks a contato for a rating in simulation: nothing is sent, and the daily limit is not used. */
export function TestAvaliacao({ onFechar }: { onFechar: () => void }) {
  const cliente = useQueryClient()
  const campo = useRef<HTMLInputElement>(null)
  const [telefone, setTelefone] = useState('')
  const [erro, setErro] = useState<string>()
  const [ocupado, setOcupado] = useState(false)
  const recusar = (dito: string): void => {
    setErro(dito)
    campo.current?.focus()
  }
  const testar = async (evento: SubmitEvent): Promise<void> => {
    evento.preventDefault()
    if (ocupado) return
    if (telefone.replace(/\D/g, '') === '') return recusar('Informe o telefone')
    setOcupado(true)
    try {
      const { mensagem } = await call(testeAvaliacaoRoute, { body: { whatsappId: withCountryCode(telefone) } })
      onFechar()
      notify.sucesso(mensagem)
      void cliente.invalidateQueries({ queryKey: ['atendimento', 'avaliacoes'] })
    } catch (causa) {
      setOcupado(false)
      const detalhe = causa instanceof ApiError ? causa.dados.detalhes?.[0] : undefined
      recusar(detalhe?.mensagem ?? `${testeAvaliacaoRoute.fallbackError}: ${errorMessage(causa)}`)
    }
  }
  return (
    <Dialog open title="Testar avaliação" onClose={onFechar}>
      <form noValidate onSubmit={(evento) => void testar(evento)} className="grid gap-4">
        <p className="text-muted">
          Simula o fim de um atendimento com este contato: nada é enviado a ele. A próxima nota de 0 a 5 que ele mandar
          conta como avaliação.
        </p>
        <TextField
          ref={campo}
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
