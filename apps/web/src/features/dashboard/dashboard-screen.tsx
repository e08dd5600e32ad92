import clsx from 'clsx'
import { type Aba, ABAS } from '@balcao/contract/constants'
import type { TipoUsuario } from '@balcao/contract/entities/usuario'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  type ComponentType,
  lazy,
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { avisar } from '#shared/avisos.ts'
import { useSincronia } from '#shared/dados/sincronia.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useTheme } from '#shared/hooks/use-theme.ts'
import { useSessao } from '#shared/session.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { ouvirZona, zonaDaConta } from '#shared/zona.ts'
import { DESCRICAO_DA_ABA, lerAba, podeVer, primeiraPermitida, type QuemOlha } from './abas.ts'
import { BarraInferior } from './barra-inferior.tsx'
import { Cabecalho } from './cabecalho.tsx'
import { ConteudoDaAba } from './conteudo-da-aba.tsx'
import { MenuLateral } from './menu-lateral.tsx'
import { usePainel } from './use-painel.ts'

const PaletaDoPainel = lazy(async () => ({ default: (await import('./paleta-do-painel.tsx')).PaletaDoPainel }))

const Confirmar = lazy(async () => ({ default: (await import('#shared/ui/confirmar.tsx')).Confirmar }))

const EmManutencao = lazy(async () => ({ default: (await import('./em-manutencao.tsx')).EmManutencao }))

const AjudaDeAtalhos = lazy(async () => ({ default: (await import('./ajuda-de-atalhos.tsx')).AjudaDeAtalhos }))

// They receive deferred data: updates render in chunks, and typing or opening the side menu does not re-render
// them.
const Cabeca = memo(Cabecalho)
const Menu = memo(MenuLateral)
const Barra = memo(BarraInferior)

/** Passed in by the app, because features must not import each other. */
export type RegistroDeAbas = Readonly<Record<Aba, ComponentType>>

/** Runs on every tab, for users who may use the tab atendimento. */
export type Vigia = ComponentType<{ aguardando: number }>

interface DashboardScreenProps {
  readonly abas: RegistroDeAbas
  readonly vigia: Vigia
}

export function DashboardScreen(props: DashboardScreenProps) {
  // The session may end while mounted. Nothing below may require a user until the router leaves.
  const { usuario } = useSessao()
  // The router renders a route in one go. The deferred value renders the panel in chunks behind a spinner.
  const pronto = useDeferredValue(true, false)
  return usuario === null || !pronto ? <PageSpinner /> : <Painel {...props} tipo={usuario.tipo} />
}

/**
 * Moves to the first permitted tab if the permission was withdrawn, or if no tab was requested and the first is
 * locked.
 * An explicitly requested locked tab stays on screen, locked.
 */
function useQuedaDeAba(quem: QuemOlha, aba: Aba, pedida: boolean, irPara: (aba: Aba) => void): void {
  const liberada = podeVer(quem, aba)
  const vistaLiberada = useRef<Aba | null>(null)
  const carregada = quem.tipo === 'admin' || quem.componentes !== null
  const destino = primeiraPermitida(quem)
  const cair = useEffectEvent(() => {
    if (destino === null) return
    if (vistaLiberada.current === aba) avisar.info(`Seu acesso a ${DESCRICAO_DA_ABA[aba].titulo} foi retirado.`)
    irPara(destino)
  })
  useEffect(() => {
    if (!carregada) return
    if (!liberada && (!pedida || vistaLiberada.current === aba)) cair()
    vistaLiberada.current = liberada ? aba : null
  }, [aba, carregada, liberada, pedida])
}

const NUMERO_APOS_G_MS = 1_000

/** `G`, then `1` to `6`. Not in the hotkey library: it misses a second sequence typed right after the first. */
function useTeclasDasAbas(irPara: (aba: Aba) => void): Readonly<Record<string, () => void>> {
  const apertouG = useRef(Number.NEGATIVE_INFINITY)
  const numeros = ABAS.map((aba, indice) => [
    String(indice + 1),
    () => {
      if (performance.now() - apertouG.current < NUMERO_APOS_G_MS) irPara(aba)
      apertouG.current = Number.NEGATIVE_INFINITY
    },
  ])
  const g = () => {
    apertouG.current = performance.now()
  }
  return { g, ...Object.fromEntries(numeros) }
}

function Painel({ abas, vigia: Vigia, tipo }: DashboardScreenProps & { tipo: TipoUsuario }) {
  useSincronia()
  const navigate = useNavigate()
  const pedida = useSearch({ strict: false, select: (busca) => busca.aba })
  const aba = lerAba(pedida, tipo)
  const { painel, limpeza } = usePainel(aba)
  const emVolta = useDeferredValue(painel)
  const { tema, alternar } = useTheme()
  const zona = useSyncExternalStore(ouvirZona, zonaDaConta)
  const gaveta = !useMediaQuery('(min-width: 64rem)')
  const [menuAberto, setMenuAberto] = useState(false)
  const [paletaAberta, setPaletaAberta] = useState(false)
  const [ajudaAberta, setAjudaAberta] = useState(false)
  const abrirMenu = useCallback(() => setMenuAberto(true), [])
  const fecharMenu = useCallback(() => setMenuAberto(false), [])
  const buscar = useCallback(() => setPaletaAberta(true), [])
  const irPara = (destino: Aba) => void navigate({ to: '/dashboard', search: { aba: destino } })
  useQuedaDeAba(painel.quem, aba, pedida !== undefined, irPara)

  const { aguardando } = painel
  useEffect(() => {
    document.title = `${aguardando > 0 ? `(${aguardando}) ` : ''}${DESCRICAO_DA_ABA[aba].titulo} · Balcão`
  }, [aba, aguardando])

  useHotkeys({
    '$mod+k': buscar,
    'Shift+?': () => setAjudaAberta(true),
    ...useTeclasDasAbas(irPara),
    Escape: fecharMenu,
  })

  const depois = useDeferredValue(true, false)
  const coberto = gaveta && menuAberto
  return (
    <div className="min-h-(--altura) lg:grid lg:grid-cols-[17rem_minmax(0,1fr)]">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      {/* The closed menu of a phone can render later. On wide screens the menu is visible immediately. */}
      {(!gaveta || menuAberto || depois) && (
        <Menu painel={emVolta} gaveta={gaveta} aberto={menuAberto} onFechar={fecharMenu} />
      )}
      {coberto && <div aria-hidden className="fixed inset-0 z-30 bg-black/40 lg:hidden" onClick={fecharMenu} />}
      <div
        inert={coberto}
        className={clsx(
          'min-w-0 cheia:flex cheia:h-(--altura) cheia:flex-col',
          // The bottom bar is absent for operadores and in an open chat.
          tipo !== 'operador' && 'pb-[calc(3.5rem+env(safe-area-inset-bottom))] has-data-conversa-aberta:pb-0 lg:pb-0',
        )}
      >
        <Cabeca painel={emVolta} menuAberto={menuAberto} onAbrirMenu={abrirMenu} onBuscar={buscar} />
        <main
          id="conteudo"
          tabIndex={-1}
          className="mx-auto max-w-6xl p-3 outline-none cheia:flex cheia:min-h-0 cheia:w-full cheia:max-w-[108rem] cheia:flex-1 cheia:flex-col sm:p-6"
        >
          {aba !== 'logs' && painel.bot.bot.motivo === 'manutencao' && (
            <Suspense>
              <EmManutencao />
            </Suspense>
          )}
          <ConteudoDaAba
            // A new time zone changes every time on screen, so the tab remounts.
            key={`${aba} ${zona}`}
            liberada={podeVer(painel.quem, aba)}
            permitida={primeiraPermitida(painel.quem)}
            componente={abas[aba]}
          />
        </main>
        <Barra painel={emVolta} />
      </div>
      <Suspense>
        {paletaAberta && (
          <PaletaDoPainel
            painel={painel}
            tema={tema}
            fazer={{
              irPara,
              abrir: (pagina) => void navigate({ to: pagina }),
              abrirPainel: (destino) =>
                void navigate({ to: '/dashboard', search: { aba: 'atendimento', painel: destino } }),
              alternarTema: alternar,
              abrirAjuda: () => setAjudaAberta(true),
            }}
            onFechar={() => setPaletaAberta(false)}
          />
        )}
      </Suspense>
      {painel.quem.componentes !== null && podeVer(painel.quem, 'atendimento') && (
        <Suspense>
          <Vigia aguardando={aguardando} />
        </Suspense>
      )}
      <Suspense>{ajudaAberta && <AjudaDeAtalhos aberta onFechar={() => setAjudaAberta(false)} />}</Suspense>
      <Suspense>
        {limpeza.aberta && (
          <Confirmar
            aberto
            titulo="Limpar a sessão do WhatsApp?"
            confirmar="Limpar sessão"
            onConfirmar={painel.acoes.limpar}
            onFechar={limpeza.fechar}
          >
            O bot para e esquece o celular conectado. Para voltar a atender, será preciso iniciar e escanear um novo QR
            Code.
          </Confirmar>
        )}
      </Suspense>
    </div>
  )
}
