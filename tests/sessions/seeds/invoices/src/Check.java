import java.math.BigDecimal;
import java.util.List;

class Check {
    public static void main(String[] args) {
        var invoice = new Invoice("2026-001", List.of(new Line("Consulting", new BigDecimal("100.00"), "full")));
        expect("net", "100.00", invoice.net().toString());
    }

    static void expect(String what, String wanted, String got) {
        if (!wanted.equals(got)) throw new AssertionError(what + ": wanted " + wanted + ", got " + got);
        System.out.println("ok " + what);
    }
}
