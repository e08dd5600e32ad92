export function SimuladorScreen() {
  return <main>Em construção</main>
}
