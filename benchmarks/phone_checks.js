// Evaluated by `phone_checks.py` in a phone page: what stands out of it, what is small, empty or without a name.
({
  look: () => {
      const words = text => (text || '').match(/\p{L}/gu);
      const seen = e => e.checkVisibility();
      const inLine = e => getComputedStyle(e).display === 'inline';
      const block = e => { while (e && inLine(e)) e = e.parentElement; return e; };
      const beside = e => {
          const around = block(e).cloneNode(true);
          around.querySelectorAll('a, button, summary, input').forEach(one => one.remove());
          return words(around.textContent);
      };
      const wide = [...document.querySelectorAll('body *')].filter(e => {
          const box = e.getBoundingClientRect();
          return (box.right > innerWidth + 1 || box.left < -1) && !e.closest('.scroll, .strip, pre, math');
      });
      const targets = [...document.querySelectorAll('a[href], button, summary, input')].filter(
          e => seen(e) && !(e.tagName === 'A' && inLine(e) && beside(e)));
      const small = targets.filter(e => {
          const box = e.getBoundingClientRect();
          return box.height < 23.5 || box.width < 23.5;
      });
      const holders = [...document.querySelectorAll('.card, .entries > li, .post')];
      return {
          overflow: wide.length || document.documentElement.scrollWidth > innerWidth ? 1 : 0,
          small: small.length, targets: targets.length, smallest: small.slice(0, 3).map(e => e.outerHTML.slice(0, 160)),
          empty: holders.filter(e => !/[\p{L}\p{N}]/u.test(e.textContent)).length, holders: holders.length,
          links: [...document.querySelectorAll('a[href]')].map(
              e => [e.getAttribute('href'), e.textContent || [...e.querySelectorAll('img')].map(i => i.alt).join(' ')]),
          levels: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(e => +e.tagName[1]),
          named: document.querySelectorAll('img, a[href], button').length,
          unnamed: document.querySelectorAll('img:not([alt])').length + targets.filter(e => !(
              e.textContent.trim() || e.getAttribute('aria-label') || e.querySelector('[alt]:not([alt=""])'))).length,
          images: [...document.querySelectorAll('img')].map(
              e => [e.getAttribute('src'), !!e.closest('.entries') || ['width', 'height'].every(n => e.hasAttribute(n))]),
      };
  },

  // the texts that are faint against what is behind them, and all texts
  contrast: () => {
      const read = color => color.match(/[\d.]+/g).map(Number);
      const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
      const light = color => [.2126, .7152, .0722].reduce((sum, share, at) => sum + share * linear(color[at] / 255), 0);
      const paper = e => { for (; e; e = e.parentElement) {
          const color = read(getComputedStyle(e).backgroundColor);
          if (color.length < 4 || color[3] > 0) return color;
      } return [255, 255, 255]; };
      const texts = [...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && [...e.childNodes].some(
          node => node.nodeType === 3 && node.data.trim()));
      const faint = texts.filter(e => {
          const style = getComputedStyle(e), size = parseFloat(style.fontSize);
          const [a, b] = [light(read(style.color)), light(paper(e))];
          const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
          return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < least;
      });
      return [faint.length, texts.length];
  },
})
