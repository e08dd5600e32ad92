import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'
import { Link } from '@tanstack/react-router'
import { Smartphone } from 'lucide-react'
import { codigoBotRoute } from '@balcao/contract/routes/bot-codigo'
import { codigoDaLinhaRoute } from '@balcao/contract/routes/linhas-sessao'
import { type FormEvent, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { QrCountdown } from './qr-code.tsx'

interface PairingHelpProps extends PairByNumberProps {
  readonly conector: ConectorTipo
}

export function PairingHelp({ conector, linhaId }: PairingHelpProps) {
  if (CONNECTORS[conector].pairing === 'simulated') {
    return (
      <p className="text-sm text-muted">
        Este bot usa o simulador: nenhum celular é preciso.{' '}
        <Link to="/simulador" target="_blank" className="font-semibold text-brand-ink underline">
          Abrir simulador
        </Link>
      </p>
    )
  }
  return (
    <>
      <p className="flex gap-2 rounded-[10px] bg-warn-soft p-3 text-sm text-warn-ink md:hidden">
        <Smartphone aria-hidden className="mt-0.5 size-4 flex-none" />
        Neste mesmo celular, use o código em vez do QR Code.
      </p>
      <ol className="list-decimal space-y-0.5 pl-5 text-sm text-muted">
        <li>Abra o WhatsApp no celular da empresa</li>
        <li>
          Toque em <b className="font-semibold text-ink">Aparelhos conectados</b> →{' '}
          <b className="font-semibold text-ink">Conectar um aparelho</b>
        </li>
        <li>Aponte a câmera para o QR Code</li>
      </ol>
      <PairByNumber linhaId={linhaId} />
    </>
  )
}

interface PairingCode {
  readonly codigo: string
  readonly expiraEm: string
}

function validityText(faltam: number): string {
  const seconds = String(faltam % 60).padStart(2, '0')
  return `Vale por mais ${Math.floor(faltam / 60)}:${seconds}`
}

function refusalText(erro: unknown): string {
  const detail = erro instanceof ApiError ? erro.dados.detalhes?.[0] : undefined
  return detail?.mensagem ?? errorMessage(erro)
}

function PairingCodeView({ codigo, expiraEm, onVenceu }: PairingCode & { onVenceu: () => void }) {
  return (
    <div className="mt-3 grid gap-2">
      <p
        aria-label={`Código: ${[...codigo].join(' ')}`}
        className="rounded-[10px] bg-sunken p-3 text-center font-mono text-2xl font-bold tracking-[0.2em] select-all"
      >
        {codigo.slice(0, 4)}-{codigo.slice(4)}
      </p>
      <QrCountdown key={codigo} expiraEm={expiraEm} onExpired={onVenceu} describe={validityText} />
      <ol className="list-decimal space-y-0.5 pl-5 text-sm text-muted">
        <li>Toque na notificação do WhatsApp que chegou ao celular</li>
        <li>
          Ou abra <b className="font-semibold text-ink">Aparelhos conectados</b> →{' '}
          <b className="font-semibold text-ink">Conectar um aparelho</b> →{' '}
          <b className="font-semibold text-ink">Conectar com número de telefone</b>
        </li>
        <li>Digite este código no celular</li>
      </ol>
    </div>
  )
}

interface PairByNumberProps {
  /** Absent: the main line. */
  readonly linhaId?: string | undefined
}

function requestCode(linhaId: string | undefined, telefone: string): Promise<PairingCode> {
  const body = { telefone }
  return linhaId === undefined
    ? call(codigoBotRoute, { body })
    : call(codigoDaLinhaRoute, { params: { id: linhaId }, body })
}

function PairByNumber({ linhaId }: PairByNumberProps) {
  const [telefone, setTelefone] = useState('')
  const [code, setCodigo] = useState<PairingCode | null>(null)
  const [erro, setErro] = useState<string>()
  const [ocupado, setOcupado] = useState(false)

  async function generate(event: FormEvent): Promise<void> {
    event.preventDefault()
    // A new request invalidates the previous code.
    setCodigo(null)
    setErro(undefined)
    setOcupado(true)
    try {
      setCodigo(await requestCode(linhaId, telefone))
    } catch (failure) {
      setErro(refusalText(failure))
    }
    setOcupado(false)
  }
  function expire(): void {
    setCodigo(null)
    setErro('Este código venceu. Gere outro.')
  }

  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-6 cursor-pointer items-center font-semibold text-brand-ink">
        Conectar com o número do celular
      </summary>
      <form noValidate className="mt-3 flex flex-wrap items-start gap-3" onSubmit={(event) => void generate(event)}>
        <div className="min-w-52 flex-1">
          <TextField
            name="telefone"
            type="tel"
            value={telefone}
            onChange={({ currentTarget }) => setTelefone(currentTarget.value)}
            label="Número do WhatsApp da empresa"
            hint="Com DDD, como 11 98765-4321."
            error={erro}
            autoComplete="tel"
            maxLength={25}
          />
        </div>
        <Button type="submit" className="mt-6" busy={ocupado}>
          {!ocupado && <Smartphone aria-hidden className="size-4" />} Gerar código
        </Button>
      </form>
      <div aria-live="polite">{code !== null && <PairingCodeView {...code} onVenceu={expire} />}</div>
    </details>
  )
}
