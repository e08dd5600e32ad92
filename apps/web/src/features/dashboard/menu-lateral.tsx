import { Link } from '@tanstack/react-router'
import { Info, Lock, type LucideIcon, ShieldCheck, Smartphone, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Chip } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Logo } from '#shared/ui/logo.tsx'
import { abasDe, DESCRICAO_DA_ABA, podeVer } from './abas.ts'
import { CartaoUsuario } from './cartao-usuario.tsx'
import type { Painel } from './painel.ts'

// Lazy: it is at the bottom, so its late arrival moves nothing.
const PeDoMenu = lazy(async () => ({ default: (await import('./pe-do-menu.tsx')).PeDoMenu }))

const ITEM =
  'flex min-h-10 items-center gap-3 rounded-[10px] px-3 font-semibold text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink'

function ItemDeFora({ to, icone: Icone, children }: { to: string; icone: LucideIcon; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className={ITEM}>
        <Icone aria-hidden className="size-4.5 flex-none" />
        {children}
      </Link>
    </li>
  )
}

function Navegacao({ painel, onIr }: { painel: Painel; onIr: () => void }) {
  const { quem, aba: atual, aguardando, usuario, temSimulador } = painel
  return (
    <nav aria-label="Seções do painel">
      <ul className="grid gap-0.5">
        {abasDe(quem).map((aba) => {
          const { titulo, icone: Icone } = DESCRICAO_DA_ABA[aba]
          const liberada = podeVer(quem, aba)
          return (
            <li key={aba}>
              <Link
                to="/dashboard"
                search={{ aba }}
                className={ITEM}
                aria-current={aba === atual ? 'page' : undefined}
                activeProps={{}}
                onClick={onIr}
              >
                <Icone aria-hidden className="size-4.5 flex-none" />
                {titulo}
                {!liberada && (
                  <span className="ml-auto">
                    <Lock aria-hidden className="size-4" />
                    <span className="sr-only"> (sem permissão)</span>
                  </span>
                )}
                {liberada && aba === 'atendimento' && aguardando > 0 && (
                  <Chip tom="vermelho" className="ml-auto tabular-nums">
                    {aguardando}
                    <span className="sr-only"> aguardando</span>
                  </Chip>
                )}
              </Link>
            </li>
          )
        })}
        {temSimulador && (
          <ItemDeFora to="/simulador" icone={Smartphone}>
            Simulador
          </ItemDeFora>
        )}
        {usuario.tipo === 'admin' && (
          <ItemDeFora to="/admin" icone={ShieldCheck}>
            Administração
          </ItemDeFora>
        )}
        <ItemDeFora to={`/ajuda/${atual}`} icone={Info}>
          Ajuda
        </ItemDeFora>
      </ul>
    </nav>
  )
}

export interface MenuLateralProps {
  readonly painel: Painel
  readonly gaveta: boolean
  readonly aberto: boolean
  readonly onFechar: () => void
}

export function MenuLateral({ painel, gaveta, aberto, onFechar }: MenuLateralProps) {
  const escondido = gaveta && !aberto
  const sobreposto = gaveta && aberto
  const fechar = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!sobreposto) return
    const quemAbriu = document.activeElement
    fechar.current?.focus()
    return () => {
      if (quemAbriu instanceof HTMLElement) quemAbriu.focus()
    }
  }, [sobreposto])
  return (
    <aside
      id="menu"
      aria-label="Menu"
      inert={escondido}
      className={`fixed top-0 bottom-(--rodape) left-0 z-40 flex w-[min(17rem,86vw)] flex-col gap-3 border-r bg-surface p-3 transition-[translate] duration-200 ease-out-soft lg:sticky lg:top-0 lg:z-auto lg:h-(--altura) lg:w-auto ${escondido ? '-translate-x-full' : ''}`}
    >
      <div className="flex items-center justify-between px-2 pt-1">
        <Logo />
        {gaveta && (
          <IconButton
            ref={fechar}
            rotulo="Fechar menu"
            dica={false}
            icone={<X aria-hidden className="size-5" />}
            onClick={onFechar}
          />
        )}
      </div>
      <div className="relative -mx-3 flex min-h-0 flex-1 flex-col overflow-x-hidden overflow-y-auto overscroll-contain px-3 py-1">
        <Navegacao painel={painel} onIr={onFechar} />
        <Suspense>
          <PeDoMenu painel={painel} />
        </Suspense>
      </div>
      <CartaoUsuario usuario={painel.usuario} onSair={painel.sair} />
    </aside>
  )
}
